import type { Currency } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

export type Wallet = Readonly<{
  id: string;
  currency: Currency;
  availableMinor: bigint;
  heldMinor: bigint;
  status: 'active' | 'frozen';
}>;

type WalletRow = {
  id: string;
  currency: Currency;
  available_minor: bigint;
  held_minor: bigint;
  status: 'active' | 'frozen';
};

export async function findWallet(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<Wallet | undefined> {
  const [row] = await database.query<WalletRow>(FIND, [bookId, id]);
  return row === undefined ? undefined : toWallet(row);
}

/** Newest first. Pages go by id, which never changes, so inserts cannot shift them. */
export async function listWallets(
  database: Queryable,
  query: Readonly<{ bookId: string; limit: number; before: string | null }>,
): Promise<Readonly<{ items: readonly Wallet[]; nextCursor: string | null }>> {
  const { bookId, limit, before } = query;
  const rows = await database.query<WalletRow>(LIST, [bookId, before, limit + 1]);
  const items = rows.slice(0, limit).map(toWallet);
  const nextCursor = rows.length > limit ? (items.at(-1)?.id ?? null) : null;
  return { items, nextCursor };
}

function toWallet(row: WalletRow): Wallet {
  return {
    id: row.id,
    currency: row.currency,
    availableMinor: row.available_minor,
    heldMinor: row.held_minor,
    status: row.status,
  };
}

const WALLET_COLUMNS = 'w.id, w.currency, w.available_minor, w.held_minor, w.status';

const FIND: Statement = {
  name: 'find-wallet',
  text: `select ${WALLET_COLUMNS} from wallets w where w.book_id = $1 and w.id = $2`,
};

const LIST: Statement = {
  name: 'list-wallets',
  text: `
    select ${WALLET_COLUMNS}
    from wallets w
    where w.book_id = $1 and ($2::uuid is null or w.id < $2)
    order by w.id desc
    limit $3`,
};
