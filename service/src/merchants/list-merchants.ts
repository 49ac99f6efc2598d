import type { Cells } from '../cells/cell.ts';
import { mergeCells } from '../cells/merge-cells.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  MERCHANT_COLUMNS,
  MERCHANT_TABLES,
  type Merchant,
  type MerchantRow,
  toMerchant,
} from './find-merchant.ts';

const MERCHANTS_LISTED_MAX = 1_000;

type ListedMerchant = Merchant & Readonly<{ liveKeys: number; wallets: number }>;
export type MerchantList = Readonly<{
  merchants: readonly (ListedMerchant & Readonly<{ cell: string }>)[];
  more: boolean;
  unansweredCells: readonly string[];
}>;

/** Of all cells, by name; `more` says that there are further ones. One that is not placed yet is not listed. */
export async function listMerchants({
  directory,
  cells,
  now,
}: Readonly<{
  directory: Queryable;
  cells: Pick<Cells, 'list'>;
  now: () => Date;
}>): Promise<MerchantList> {
  const { items, ...page } = await mergeCells(cells, {
    limit: MERCHANTS_LISTED_MAX,
    read: (database, max) => readMerchants(database, { max, at: now() }),
    compare: (a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()),
  });
  const ids = items.map(({ id }) => id);
  const places = await directory.query<{ id: string; cell: string }>(PLACES, [ids]);
  const cellOf = new Map(places.map(({ id, cell }) => [id, cell]));
  const seen = new Set<string>();
  const merchants = items.flatMap((merchant) => {
    const cell = cellOf.get(merchant.id);
    // While one is moved, two cells have it.
    if (cell === undefined || seen.has(merchant.id)) return [];
    seen.add(merchant.id);
    return [{ ...merchant, cell }];
  });
  return { merchants, ...page };
}

async function readMerchants(
  database: Queryable,
  { max, at }: Readonly<{ max: number; at: Date }>,
): Promise<readonly ListedMerchant[]> {
  const rows = await database.query<ListedRow>(LIST, [at, max]);
  return rows.map((row) => ({
    ...toMerchant(row),
    liveKeys: row.live_keys,
    wallets: row.wallets,
  }));
}

type ListedRow = MerchantRow & { live_keys: number; wallets: number };

const PLACES: Statement = {
  name: '',
  text: 'select id, cell from merchants where id = any ($1::uuid[]) and placed_at is not null',
};

const LIST: Statement = {
  name: '',
  text: `
    select ${MERCHANT_COLUMNS},
           (
             select count(*)::integer from api_keys k
             where k.book_id in (t.id, l.id) and k.revoked_at is null
               and (k.expires_at is null or k.expires_at > $1)
               and (k.confirm_until is null or k.confirmed_at is not null)
           ) as live_keys,
           (
             select count(*)::integer from wallets w where w.book_id in (t.id, l.id)
           ) as wallets
    from ${MERCHANT_TABLES}
    order by lower(m.name)
    limit $2`,
};
