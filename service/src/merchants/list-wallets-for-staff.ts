import { SERVED_HERE } from '../cells/served-here.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  type AdminWallet,
  toAdminWallet,
  WALLET_COLUMNS,
  type WalletRow,
} from './find-wallet-for-staff.ts';

const WALLETS_LISTED_MAX = 1_000;

export type WalletList = Readonly<{ wallets: readonly AdminWallet[]; more: boolean }>;

/** The wallets of one merchant, or of all merchants. */
export async function listWalletsForStaff(
  database: Queryable,
  filter: Readonly<{ merchantId: string | null }>,
): Promise<WalletList> {
  const values = [filter.merchantId, WALLETS_LISTED_MAX + 1];
  const rows = await database.query<WalletRow>(LIST, values);
  return {
    wallets: rows.slice(0, WALLETS_LISTED_MAX).map(toAdminWallet),
    more: rows.length > WALLETS_LISTED_MAX,
  };
}

const LIST: Statement = {
  name: '',
  text: `
    select ${WALLET_COLUMNS}
    from wallets w
    join books b on b.id = w.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    where ($1::uuid is null or b.merchant_id = $1)
    order by lower(m.name), b.mode, w.currency, w.created_at, w.id
    limit $2`,
};
