import type { Queryable, Statement } from '../postgres/database.ts';
import {
  MERCHANT_COLUMNS,
  MERCHANT_TABLES,
  type Merchant,
  type MerchantRow,
  toMerchant,
} from './find-merchant.ts';

const MERCHANTS_LISTED_MAX = 1_000;

export type ListedMerchant = Merchant & Readonly<{ liveKeys: number; wallets: number }>;
export type MerchantList = Readonly<{ merchants: readonly ListedMerchant[]; more: boolean }>;

/** By name; `more` says that there are further ones. */
export async function listMerchants(
  deps: Readonly<{ database: Queryable; now: () => Date }>,
): Promise<MerchantList> {
  const rows = await deps.database.query<ListedRow>(LIST, [deps.now(), MERCHANTS_LISTED_MAX + 1]);
  const merchants = rows.slice(0, MERCHANTS_LISTED_MAX).map((row) => ({
    ...toMerchant(row),
    liveKeys: row.live_keys,
    wallets: row.wallets,
  }));
  return { merchants, more: rows.length > MERCHANTS_LISTED_MAX };
}

type ListedRow = MerchantRow & { live_keys: number; wallets: number };

const LIST: Statement = {
  name: '',
  text: `
    select ${MERCHANT_COLUMNS},
           (
             select count(*)::integer from api_keys k
             where k.book_id in (t.id, l.id) and k.revoked_at is null
               and (k.expires_at is null or k.expires_at > $1)
           ) as live_keys,
           (
             select count(*)::integer from wallets w where w.book_id in (t.id, l.id)
           ) as wallets
    from ${MERCHANT_TABLES}
    order by lower(m.name)
    limit $2`,
};
