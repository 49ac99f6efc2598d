import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/**
 * Whether a process may be resubmitting the order at this moment: a resubmitted transfer that has a lease. An inquiry
 * takes a lease too, so this may be true for a transfer with only an inquiry under way.
 */
export async function mayBeResubmitting(
  database: Queryable,
  { bookId, id }: Transfer,
): Promise<boolean> {
  const rows = await database.query(FIND, [bookId, id]);
  return rows.length > 0;
}

const FIND: Statement = {
  name: '',
  text: `
    select t.id from transfers t
    where t.book_id = $1 and t.id = $2 and t.state = 'in_doubt' and t.resubmissions > 0
      and t.lease_owner is not null and t.next_action_at > now()`,
};
