import type { Mode } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Holds the book's row for the rest of the transaction. What adds a key or wallet does this first, so that two at
 * once cannot both see room for one more. Transfers do not touch this row. Returns whose book it is.
 */
export async function lockBook(
  tx: Queryable,
  bookId: string,
): Promise<Readonly<{ merchantId: string; mode: Mode }>> {
  const [row] = await tx.query<{ merchant_id: string; mode: Mode }>(LOCK, [bookId]);
  if (row === undefined) throw new Error(`there is no book ${bookId}`);
  return { merchantId: row.merchant_id, mode: row.mode };
}

// Not "for update": that would make the foreign keys of wallets and keys wait.
const LOCK: Statement = {
  name: '',
  text: 'select merchant_id, mode from books where id = $1 for no key update',
};
