import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import type { MoveLock } from './move-lock.ts';

/** A cell between which a merchant moves, by the owner of its tables. */
export type MoveCell = Readonly<{ name: string; database: Database }>;

export type MerchantState = 'open' | 'closing' | 'arriving' | 'moved';

/** A merchant as one cell has it. */
export type MerchantHere = Readonly<{
  state: MerchantState;
  epoch: number;
  books: readonly string[];
  /** The transaction that changed its row last. */
  version: string;
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

/** Changes a merchant in one cell, if it is as it was before the lock was looked at. */
export async function changeMerchant(
  { database, lock }: Readonly<{ database: Database; lock: MoveLock }>,
  merchantId: string,
  change: (tx: Queryable, here: MerchantHere) => Promise<void>,
): Promise<void> {
  const seen = await readMerchantHere(database, merchantId);
  await lock.check();
  await database.transaction(async (tx) => {
    await actAsMove(tx, merchantId);
    await change(tx, await holdMerchant(tx, merchantId, seen));
  });
}

/**
 * Locks a merchant in one cell until the transaction ends. Throws if it is not as it was seen before the lock of the move
 * was looked at: a process may be paused after that look and lose its lock, and another may have ended this move and begun
 * the next, with the same state and epoch here.
 */
export async function holdMerchant(
  tx: Queryable,
  merchantId: string,
  seen: MerchantHere | undefined,
): Promise<MerchantHere> {
  if (seen === undefined) throw new Error('the merchant is not in this cell');
  await tx.query(HOLD, [merchantId]);
  const here = await readMerchantHere(tx, merchantId);
  if (here?.version !== seen.version) {
    throw new Error('another process went on with this merchant: nothing more was done');
  }
  return here;
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
    select m.state, m.epoch, m.xmin::text as version,
           array(select b.id from books b where b.merchant_id = m.id order by b.id)::text[] as books
    from merchants m where m.id = $1`,
};

// As an update of its state does: references to it do not wait.
const HOLD: Statement = {
  name: '',
  text: 'select id from merchants where id = $1 for no key update',
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
