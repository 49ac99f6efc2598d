import type { Queryable, Statement } from '../postgres/database.ts';
import type { ScreeningDecision } from './read-decision.ts';
import { SCREENING_ATTEMPTS_MAX, type Screening } from './screening.ts';

/** A policy has at most 200 rules, and each asks once. */
const SCREENINGS_MAX = 200;

/** What screeners were asked about a transfer, and what they said. */
export async function readScreenings(
  database: Queryable,
  { bookId, transferId }: Readonly<{ bookId: string; transferId: string }>,
): Promise<readonly Screening[]> {
  const values = [bookId, transferId, SCREENINGS_MAX * (SCREENING_ATTEMPTS_MAX + 1)];
  const rows = await database.query<ScreeningRow>(READ, values);
  const byRule = Map.groupBy(rows, ({ rule }) => rule);
  return [...byRule.values()].map(toScreening);
}

type ScreeningRow = {
  rule: string;
  screener: string;
  decision: ScreeningDecision | null;
  reason: string | null;
  created_at: Date;
  decided_at: Date | null;
  /** Null: it was not asked yet. */
  at: Date | null;
  elapsed_ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
  meant: ScreeningDecision;
};

function toScreening(rows: readonly ScreeningRow[]): Screening {
  const [row] = rows;
  if (row === undefined) throw new Error('a group has no row');
  return {
    rule: row.rule,
    screener: row.screener,
    decision: row.decision,
    reason: row.reason,
    createdAt: row.created_at,
    decidedAt: row.decided_at,
    attempts: rows.flatMap(({ at, elapsed_ms: elapsedMs, status, error, answer, meant }) =>
      at === null ? [] : [{ at, elapsedMs, status, error, answer, decision: meant }],
    ),
  };
}

const READ: Statement = {
  name: 'read-screenings',
  text: `
    select q.rule, q.screener, q.decision, q.reason, q.created_at, q.decided_at,
           a.at, a.elapsed_ms, a.status, a.error, a.answer, a.decision as meant
    from screenings q
    left join screening_attempts a
      on a.book_id = q.book_id and a.transfer_id = q.transfer_id and a.rule = q.rule
    where q.book_id = $1 and q.transfer_id = $2
    order by q.created_at, q.rule, a.attempt
    limit $3`,
};
