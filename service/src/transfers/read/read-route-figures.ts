import { BOOKS_NOT_SERVED } from '../../cells/served-here.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** What a route did in the last hour, as its kept exchanges tell. */
export type RouteFigures = Readonly<{
  route: string;
  submitted: number;
  succeeded: number;
  failed: number;
  /** Of submissions; null: there was none. */
  medianMs: number | null;
  p99Ms: number | null;
  /** What operators answered, the most frequent first. */
  answers: readonly Readonly<{ httpStatus: number | null; outcome: string; count: number }>[];
}>;

const ANSWERS_SHOWN_MAX = 10;

/**
 * Reads the exchanges of one hour by the block ranges of attempts_by_time, about 150 bytes each. Callers cache it, since
 * a busy hour has a million.
 */
export async function readRouteFigures(database: Queryable): Promise<readonly RouteFigures[]> {
  const rows = await database.query<FiguresRow>(READ, [ANSWERS_SHOWN_MAX]);
  return rows.map((row) => ({
    route: row.route,
    submitted: row.submitted,
    succeeded: row.succeeded,
    failed: row.failed,
    medianMs: row.median_ms,
    p99Ms: row.p99_ms,
    answers: row.answers,
  }));
}

type FiguresRow = {
  route: string;
  submitted: number;
  succeeded: number;
  failed: number;
  median_ms: number | null;
  p99_ms: number | null;
  answers: { httpStatus: number | null; outcome: string; count: number }[];
};

const READ: Statement = {
  name: '',
  text: `
    with recent as materialized (
      select a.route, a.purpose, a.outcome, a.http_status, a.elapsed_ms
      from attempts a
      where a.ended_at > now() - interval '1 hour' and a.book_id not in ${BOOKS_NOT_SERVED}
    ),
    answers as (
      select r.route, r.http_status, r.outcome, count(*)::integer as count,
             row_number() over (partition by r.route order by count(*) desc, r.http_status, r.outcome) as place
      from recent r
      -- A callback that was taken as an answer has no status: it would look like a request without an answer.
      where r.purpose <> 'callback'
      group by r.route, r.http_status, r.outcome
    )
    select r.route,
           count(*) filter (where r.purpose in ('submit', 'resubmit'))::integer as submitted,
           count(*) filter (where r.outcome = 'paid')::integer as succeeded,
           count(*) filter (where r.outcome = 'rejected')::integer as failed,
           percentile_disc(0.5) within group (order by r.elapsed_ms)
             filter (where r.purpose in ('submit', 'resubmit')) as median_ms,
           percentile_disc(0.99) within group (order by r.elapsed_ms)
             filter (where r.purpose in ('submit', 'resubmit')) as p99_ms,
           coalesce((
             select jsonb_agg(
                      jsonb_build_object('httpStatus', s.http_status, 'outcome', s.outcome, 'count', s.count)
                      order by s.place
                    )
             from answers s
             where s.route = r.route and s.place <= $1
           ), '[]') as answers
    from recent r
    group by r.route
    order by r.route`,
};
