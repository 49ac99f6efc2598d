import type { ReportedField } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/**
 * Keeps with a pending transfer that its operator paid something other than what was sent, for a process that no
 * longer has its lease. State, lease and next action stay: another process may be inquiring now. As after the same
 * answer under the lease, one refusal is not enough to release the hold, and answers of "not found" count from the
 * first again. False: the transfer has ended, or its merchant is moving to another cell.
 */
export async function keepContradictions(
  database: Queryable,
  { bookId, id }: Pick<Transfer, 'bookId' | 'id'>,
  contradicted: readonly ReportedField[],
): Promise<boolean> {
  const rows = await database.query(KEEP, [bookId, id, contradicted]);
  return rows.length > 0;
}

// Earlier answers lapse, instead of being set to 0: a process that read their number before would write it back.
const KEEP: Statement = {
  name: 'keep-contradictions',
  text: `
    update transfers t
    set contradictions = array(
          select distinct unnest(t.contradictions || $3::text[]) order by 1
        ),
        unconfirmed_successes = greatest(t.unconfirmed_successes, 1),
        answers_lapse_at = to_timestamp(0)
    where t.book_id = $1 and t.id = $2 and t.completed_at is null
    returning t.id`,
};
