import type { Queryable, Statement } from '../../postgres/database.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

/**
 * Locks the books whose policies count over more than one wallet, before any wallet. Returns the database's time after
 * the locks, so that windows are the same for all processes; null: no book had to be locked.
 */
export async function lockBooks(
  tx: Queryable,
  group: readonly PreparedTransfer[],
): Promise<Date | null> {
  const books = new Set(group.filter(needsBookLock).map(({ book }) => book.id));
  if (books.size === 0) return null;
  const rows = await tx.query<{ at: Date }>(LOCK, [[...books]]);
  const at = rows.at(-1)?.at;
  if (at === undefined) throw new Error('a book with controls has no row to lock');
  return at;
}

export function needsBookLock({ controls }: PreparedTransfer): boolean {
  return controls !== null && !controls.isSimple;
}

/** Which of these books another transaction has locked at this moment. It does not wait for any of them. */
export async function findLockedBooks(
  database: Queryable,
  group: readonly PreparedTransfer[],
): Promise<readonly string[]> {
  const books = [...new Set(group.filter(needsBookLock).map(({ book }) => book.id))];
  if (books.length === 0) return [];
  const rows = await database.query<{ book_id: string }>(FIND_FREE, [books]);
  const free = new Set(rows.map((row) => row.book_id));
  return books.filter((bookId) => !free.has(bookId));
}

const LOCK: Statement = {
  name: 'lock-books',
  text: `
    with locked as materialized (
      select book_id from book_controls where book_id = any ($1::uuid[])
      order by book_id
      for update
    )
    select clock_timestamp() as at from locked`,
};

const FIND_FREE: Statement = {
  name: 'find-free-books',
  text: `
    select book_id from book_controls where book_id = any ($1::uuid[])
    for update skip locked`,
};
