import type { Queryable, Statement } from '../postgres/database.ts';

type WalletKey = Readonly<{ bookId: string; walletId: string }>;

/** Which of these wallets another transaction has locked at this moment. It does not wait for any of them. */
export async function findLockedWallets(
  database: Queryable,
  wallets: readonly WalletKey[],
): Promise<readonly WalletKey[]> {
  const rows = await database.query<{ book_id: string; id: string }>(FIND, [
    wallets.map(({ bookId }) => bookId),
    wallets.map(({ walletId }) => walletId),
  ]);
  return rows.map((row) => ({ bookId: row.book_id, walletId: row.id }));
}

// The same lock that moving money needs; it ends with this statement.
const FIND: Statement = {
  name: 'find-locked-wallets',
  text: `
    with wanted as (
      select w.book_id, w.id from wallets w
      where (w.book_id, w.id) in (select * from unnest($1::uuid[], $2::uuid[]))
    ),
    free as materialized (
      select w.book_id, w.id from wallets w
      where (w.book_id, w.id) in (select book_id, id from wanted)
      for update skip locked
    )
    select book_id, id from wanted
    except
    select book_id, id from free`,
};
