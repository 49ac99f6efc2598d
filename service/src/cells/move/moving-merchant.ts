import type { Database, Queryable, Statement } from '../../postgres/database.ts';

/** A cell between which a merchant moves, by the owner of its tables. */
export type MoveCell = Readonly<{ name: string; database: Database }>;

export type MerchantState = 'open' | 'closing' | 'arriving' | 'moved';

/** A merchant as one cell has it. */
export type MerchantHere = Readonly<{
  state: MerchantState;
  epoch: number;
  books: readonly string[];
}>;

/**
 * A condition for statements that look for work of all books: they pass over merchants that this cell may not write for,
 * since one of their rows would have the whole statement refused. Mostly there are none, and a partial index says so.
 */
export const ofOpenMerchant = (bookId: string): string => `
  ${bookId} not in (
    select closed.id from merchants m join books closed on closed.merchant_id = m.id where m.state <> 'open'
  )`;

/** Undefined: this cell has nothing of it. */
export async function readMerchantHere(
  cell: Queryable,
  merchantId: string,
): Promise<MerchantHere | undefined> {
  const [row] = await cell.query<MerchantHere>(READ, [merchantId]);
  return row;
}

/** Books whose merchant has left this cell for another. */
export async function listMovedBooks(cell: Queryable): Promise<ReadonlySet<string>> {
  const rows = await cell.query<{ id: string }>(LIST_MOVED);
  return new Set(rows.map(({ id }) => id));
}

/** Lets the statements of this transaction change what is closed to all others. */
export async function actAsMove(tx: Queryable, merchantId: string): Promise<void> {
  await tx.query(ACT_AS_MOVE, [merchantId]);
}

export async function setMerchantState(
  tx: Queryable,
  {
    merchantId,
    state,
    epoch,
  }: Readonly<{ merchantId: string; state: MerchantState; epoch: number }>,
): Promise<void> {
  await tx.query(SET_STATE, [merchantId, state, epoch]);
}

const READ: Statement = {
  name: '',
  text: `
    select m.state, m.epoch,
           array(select b.id from books b where b.merchant_id = m.id order by b.id)::text[] as books
    from merchants m where m.id = $1`,
};

const LIST_MOVED: Statement = {
  name: 'list-moved-books',
  text: `
    select b.id from merchants m join books b on b.merchant_id = m.id
    where m.state = 'moved'`,
};

const ACT_AS_MOVE: Statement = {
  name: '',
  text: `select set_config('kafue.moving', $1, true)`,
};

const SET_STATE: Statement = {
  name: '',
  text: `update merchants set state = $2, epoch = $3 where id = $1`,
};
