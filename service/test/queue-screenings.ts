import type { Queryable, Statement } from '../src/postgres/database.ts';

/** What a rule asks about a transfer, and of which screener. */
export type Question = Readonly<{
  bookId: string;
  transferId: string;
  rule: string;
  screener: string;
}>;

/** Queues questions about transfers that a test stored by itself. */
export async function queueScreenings(
  tx: Queryable,
  questions: readonly Question[],
): Promise<void> {
  await tx.query(QUEUE, [
    questions.map(({ bookId }) => bookId),
    questions.map(({ transferId }) => transferId),
    questions.map(({ rule }) => rule),
    questions.map(({ screener }) => screener),
  ]);
}

const QUEUE: Statement = {
  name: 'queue-screenings',
  text: `
    insert into screenings (book_id, transfer_id, rule, screener)
    select book_id, transfer_id, rule, screener
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as t (book_id, transfer_id, rule, screener)`,
};
