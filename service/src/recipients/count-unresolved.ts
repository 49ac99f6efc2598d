import { SERVED_HERE } from '../cells/served-here.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** How many recipients have no name from the operator yet. */
export async function countUnresolved(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

const COUNT: Statement = {
  name: 'count-unresolved',
  text: `
    select count(*)::integer as count
    from recipients r
    join books b on b.id = r.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    where r.next_resolve_at is not null`,
};
