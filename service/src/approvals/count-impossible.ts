import type { Queryable, Statement } from '../postgres/database.ts';

/** How many transfers wait that cannot be approved by the people who are left, in one book or in all. */
export async function countImpossible(database: Queryable, bookId?: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT, [bookId ?? null]);
  return row?.count ?? 0;
}

const COUNT: Statement = {
  name: '',
  text: `
    select count(*)::integer as count
    from impossible_approvals f
    join transfers t on t.book_id = f.book_id and t.id = f.subject_id
    where f.subject_kind = 'transfer' and t.state = 'awaiting_approval'
      and ($1::uuid is null or f.book_id = $1)`,
};
