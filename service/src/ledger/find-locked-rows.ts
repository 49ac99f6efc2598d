import type { Queryable, Statement } from '../postgres/database.ts';

type RowKey = Readonly<{ bookId: string; id: string }>;

/** Which of these rows another transaction has locked at this moment. It does not wait for any of them. */
export async function findLockedRows(
  database: Queryable,
  table: keyof typeof FIND,
  keys: readonly RowKey[],
): Promise<readonly RowKey[]> {
  const rows = await database.query<{ book_id: string; id: string }>(FIND[table], [
    keys.map(({ bookId }) => bookId),
    keys.map(({ id }) => id),
  ]);
  return rows.map((row) => ({ bookId: row.book_id, id: row.id }));
}

// The same lock that moving money needs; it ends with this statement.
function find(table: string): Statement {
  return {
    name: `find-locked-${table}`,
    text: `
      with wanted as (
        select r.book_id, r.id from ${table} r
        where (r.book_id, r.id) in (select * from unnest($1::uuid[], $2::uuid[]))
      ),
      free as materialized (
        select r.book_id, r.id from ${table} r
        where (r.book_id, r.id) in (select book_id, id from wanted)
        for update skip locked
      )
      select book_id, id from wanted
      except
      select book_id, id from free`,
  };
}

const FIND = { wallets: find('wallets'), transfers: find('transfers') } as const;
