import type { Outcome, ReportedField } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { OperatorExchange } from './keep-attempts.ts';

/** The recorded outcome of an attempt whose answer was that the operator already has our reference. */
export const DUPLICATE = 'duplicate';

/** Without these, an answer does not say which order was paid. */
const WHAT_WAS_PAID: readonly ReportedField[] = ['amount', 'currency', 'number'];

/**
 * Judges the answer to an inquiry about a transfer whose submission was answered as a duplicate. The operator's order
 * is then not the one that was just sent. After a restore it is one that the database has lost, and a merchant may have
 * used its reference again for another amount or number. So a success counts only when it confirms what was paid, and
 * "not found" contradicts the first answer. Otherwise the transfer stays in doubt.
 *
 * A duplicate in answer to a resubmission is the order itself, so a success counts as usual; "not found" contradicts
 * that answer too.
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
  if (outcome.kind === 'notFound') return 'answered as a duplicate, and now not found';
  if (outcome.kind !== 'paid') return undefined;
  const isConfirmed = WHAT_WAS_PAID.every((subject) => outcome.confirmed.includes(subject));
  return isConfirmed
    ? undefined
    : 'an earlier order was paid, and the answer does not say what was paid';
}

type Purposes = readonly OperatorExchange['purpose'][];
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

// Uses the primary key: a transfer has few attempts.
const FIND: Statement = {
  name: 'find-duplicate-attempt',
  text: `
    select a.id from attempts a
    where a.book_id = $1 and a.transfer_id = $2 and a.purpose = any ($4::text[])
      and a.outcome = $3
    limit 1`,
};
