import { SERVED_HERE } from '../cells/served-here.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** How many transfers and payout files wait that cannot be approved by the people who are left, in one book or in all. */
export async function countImpossible(database: Queryable, bookId?: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT, [bookId ?? null]);
  return row?.count ?? 0;
}

const COUNT: Statement = {
  name: '',
  text: `
    select count(*)::integer as count
    from impossible_approvals i
    join books b on b.id = i.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    left join transfers t
      on i.subject_kind = 'transfer' and t.book_id = i.book_id and t.id = i.subject_id
    left join payout_files f
      on i.subject_kind = 'file' and f.book_id = i.book_id and f.id = i.subject_id
    where coalesce(t.state, f.state) = 'awaiting_approval' and ($1::uuid is null or i.book_id = $1)`,
};
