import type { Outcome, Subject } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { Attempt } from './keep-attempts.ts';

/** What an attempt is recorded as when the operator answered that it has our reference already. */
export const DUPLICATE = 'duplicate';

/** Without these, an answer does not say which order was paid. */
const WHAT_WAS_PAID: readonly Subject[] = ['amount', 'currency', 'number'];

/**
 * Weighs an inquiry's answer about a transfer whose submission was answered as a duplicate. The operator's
 * order is then not the one that was just sent: after a restore it is one that the database has forgotten, and
 * a merchant may have used its reference again for another amount or number. So a success counts only when it
 * confirms what was paid, and "not found" contradicts the first answer. Such a transfer stays in doubt.
 *
 * A duplicate of the same order sent again is the order itself, so a success counts as usual; "not found"
 * contradicts that answer too.
 */
export async function judgeDuplicate(
  database: Queryable,
  transfer: Transfer,
  outcome: Outcome,
): Promise<Outcome> {
  const cause = whyInDoubt(outcome);
  if (cause === undefined) return outcome;
  const purposes = outcome.kind === 'notFound' ? EVERY_SUBMISSION : FIRST_SUBMISSION;
  if (!(await wasDuplicate(database, transfer, purposes))) return outcome;
  return { kind: 'unknown', cause };
}

function whyInDoubt(outcome: Outcome): string | undefined {
  if (outcome.kind === 'notFound') return 'a duplicate for the operator, and now not found';
  if (outcome.kind !== 'paid') return undefined;
  const isConfirmed = WHAT_WAS_PAID.every((subject) => outcome.confirmed.includes(subject));
  return isConfirmed ? undefined : 'paid as an order from before, of an amount that is not told';
}

type Purposes = readonly Attempt['purpose'][];
const FIRST_SUBMISSION: Purposes = ['submit'];
const EVERY_SUBMISSION: Purposes = ['submit', 'resubmit'];

async function wasDuplicate(
  database: Queryable,
  { bookId, id }: Transfer,
  purposes: Purposes,
): Promise<boolean> {
  const rows = await database.query(FIND, [bookId, id, DUPLICATE, purposes]);
  return rows.length > 0;
}

// By the primary key of a transfer's few attempts.
const FIND: Statement = {
  name: 'find-duplicate-attempt',
  text: `
    select a.id from attempts a
    where a.book_id = $1 and a.transfer_id = $2 and a.purpose = any ($4::text[])
      and a.outcome = $3
    limit 1`,
};
