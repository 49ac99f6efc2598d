import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Holds the book's row for the rest of the transaction. Whoever adds a key or wallet does this first,
 * so that two at once cannot both see room for one more. Transfers do not touch this row.
 */
export async function lockBook(tx: Queryable, bookId: string): Promise<void> {
  const rows = await tx.query(LOCK, [bookId]);
  if (rows.length !== 1) throw new Error(`there is no book ${bookId}`);
}

// Not "for update": that would make the foreign keys of wallets and keys wait.
const LOCK: Statement = {
  name: '',
  text: 'select id from books where id = $1 for no key update',
};
