import type { Transfer } from '../domain/transfer.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Where the operator's side said something new about a payout: a callback, or an answer that differs from the last. */
export type OperatorStatement = Readonly<{
  id: string;
  at: Date;
  /** The outcome of the exchange, or what the callback claims. */
  says: string;
}>;

/** What an exchange is kept as when the operator said something about the payout. */
const ANSWERS = ['paid', 'mismatched', 'rejected', 'pending', 'duplicate', 'notFound', 'returned'];
const ANSWERS_READ_MAX = 500;

/**
 * Reads what the operator said about a transfer, the newest first. Inquiries go on while people decide: an answer that
 * repeats the one before, or says nothing about the payout, is left out. What a recall was answered is not about
 * whether it was paid.
 */
export async function readOperatorAnswers(
  database: Queryable,
  { bookId, id, operatorReference }: Transfer,
): Promise<readonly OperatorStatement[]> {
  const values = [bookId, id, operatorReference, ANSWERS_READ_MAX];
  return database.query<{ id: string; at: Date; says: string }>(READ, values);
}

/** The answers about one transfer, as SQL: columns or parameters name it. */
export function operatorAnswers({
  bookId,
  id,
  operatorReference,
}: Readonly<Record<'bookId' | 'id' | 'operatorReference', string>>): string {
  return `
    select n.id, n.at, n.outcome as says
    from (
      select a.id, a.ended_at as at, a.outcome,
             lag(a.outcome) over (order by a.ended_at, a.id) as outcome_before
      from attempts a
      where a.book_id = ${bookId} and a.transfer_id = ${id} and a.purpose <> 'recall'
        and a.outcome in (${ANSWERS.map((outcome) => `'${outcome}'`).join(', ')})
    ) n
    where n.outcome is distinct from n.outcome_before
    union all
    select c.id, c.received_at, c.claims from callbacks c
    where c.operator_reference = ${operatorReference} and c.reading = 'read' and c.claims <> 'unknown'`;
}

const READ: Statement = {
  name: '',
  text: `
    ${operatorAnswers({ bookId: '$1', id: '$2', operatorReference: '$3' })}
    order by at desc, id desc
    limit $4`,
};
