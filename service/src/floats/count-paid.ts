import type { Cells } from '../cells/cell.ts';
import { queryCells } from '../cells/query-cells.ts';
import type { Currency } from '../domain/money.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { HOUR_OF_END, hourOf } from '../transfers/read/hour-of-end.ts';

/** An hour is counted for good this long after its end: by then every transfer that ended in it is committed. */
const HOUR_FINAL_AFTER_MINUTES = 10;
/** Hours read at once after a pause of the service. The next round reads on. */
const HOURS_READ_MAX = 25;
/** A busy hour takes seconds to be summed, and payouts do not wait for it. */
const COUNT_DEADLINE_MS = 60_000;

/** What the transfers of some routes say. */
export type RouteCount = Readonly<{
  hours: readonly Readonly<{ route: string; currency: Currency; hour: Date; paidMinor: bigint }>[];
  /** The first hour that was read, and the first that is not over for good. */
  from: Date;
  finalUntil: Date;
  unfinished: readonly Readonly<{
    route: string;
    currency: Currency;
    underWayMinor: bigint;
    queuedMinor: bigint;
  }>[];
}>;

/**
 * Sums what these routes paid in the hours that are not counted for good, and what is ordered and unfinished. Finished
 * transfers are read by the index of the hours of their end, unfinished ones by the partial indexes of the scanner. All
 * cells are asked; undefined: one did not answer, and a sum without it would be wrong.
 */
export async function countRoutes(
  { directory, cells }: Readonly<{ directory: Queryable; cells: Pick<Cells, 'list'> }>,
  routes: readonly string[],
): Promise<RouteCount | undefined> {
  const [span] = await directory.query<SpanRow>(SPAN, [
    routes,
    HOUR_FINAL_AFTER_MINUTES,
    HOURS_READ_MAX,
  ]);
  if (span === undefined) throw new Error('the database did not say which hours to read');
  const { answers, unanswered } = await queryCells(
    cells.list(),
    ({ database }) => countIn(database, { span, routes }),
    { deadlineMs: COUNT_DEADLINE_MS },
  );
  if (unanswered.length > 0) return undefined;
  const parts = answers.map(({ answer }) => answer);
  return {
    from: span.from_hour,
    finalUntil: span.final_until,
    hours: addHours(parts.flatMap(({ hours }) => hours)),
    unfinished: addUnfinished(parts.flatMap(({ unfinished }) => unfinished)),
  };
}

async function countIn(
  database: Queryable,
  { span, routes }: Readonly<{ span: SpanRow; routes: readonly string[] }>,
) {
  const hours = await database.query<HourRow>(PAID, [span.from_hour, span.to_hour, routes]);
  const unfinished = await database.query<UnfinishedRow>(UNFINISHED, [routes]);
  return { hours, unfinished };
}

function addHours(rows: readonly HourRow[]): RouteCount['hours'] {
  const byHour = Map.groupBy(rows, (row) => `${row.route} ${row.currency} ${row.hour.getTime()}`);
  return [...byHour.values()].flatMap((same) =>
    same.slice(0, 1).map(({ route, currency, hour }) => ({
      route,
      currency,
      hour,
      paidMinor: same.reduce((sum, one) => sum + one.paid_minor, 0n),
    })),
  );
}

function addUnfinished(rows: readonly UnfinishedRow[]): RouteCount['unfinished'] {
  const byRoute = Map.groupBy(rows, (row) => `${row.route} ${row.currency}`);
  return [...byRoute.values()].flatMap((same) =>
    same.slice(0, 1).map(({ route, currency }) => ({
      route,
      currency,
      underWayMinor: same.reduce((sum, one) => sum + one.under_way_minor, 0n),
      queuedMinor: same.reduce((sum, one) => sum + one.queued_minor, 0n),
    })),
  );
}

type SpanRow = { from_hour: Date; to_hour: Date; final_until: Date };
type HourRow = { route: string; currency: Currency; hour: Date; paid_minor: bigint };
type UnfinishedRow = {
  route: string;
  currency: Currency;
  under_way_minor: bigint;
  queued_minor: bigint;
};

// A route that is new has no hours yet: the last day of it is read, for its rate.
const SPAN: Statement = {
  name: 'span-route-hours',
  text: `
    with span as (
      select coalesce(
               (
                 select min(coalesce(f.final_until, ${hourOf('now()')} - interval '23 hours'))
                 from route_floats f where f.route = any($1)
               ),
               ${hourOf('now()')} - interval '23 hours'
             ) as from_hour
    )
    select from_hour,
           least(${hourOf('now()')} + interval '1 hour', from_hour + $3 * interval '1 hour') as to_hour,
           least(${hourOf(`now() - $2 * interval '1 minute'`)}, from_hour + $3 * interval '1 hour')
             as final_until
    from span`,
};

/** Books that the cell keeps after they have moved to another, which counts them. Read once for each statement. */
const ELSEWHERE = `
  array(
    select b.id from merchants m join books b on b.merchant_id = m.id
    where m.state in ('arriving', 'moved')
  )`;

const PAID: Statement = {
  name: 'sum-route-hours',
  text: `
    select t.route, t.currency, ${HOUR_OF_END} as hour, sum(t.amount_minor)::bigint as paid_minor
    from transfers t
    where t.completed_at is not null and ${HOUR_OF_END} >= $1 and ${HOUR_OF_END} < $2
      and t.state = 'succeeded' and t.route = any($3) and t.book_id <> all (${ELSEWHERE})
    group by 1, 2, 3`,
};

// Each part implies the condition of a partial index.
const UNFINISHED: Statement = {
  name: 'sum-route-unfinished',
  text: `
    select t.route, t.currency,
           coalesce(sum(t.amount_minor) filter (where t.state <> 'queued'), 0)::bigint as under_way_minor,
           coalesce(sum(t.amount_minor) filter (where t.state = 'queued'), 0)::bigint as queued_minor
    from (
      select book_id, route, currency, state, amount_minor from transfers
      where state = 'queued' and next_action_at is not null and route = any($1)
      union all
      select book_id, route, currency, state, amount_minor from transfers
      where state <> 'queued' and next_action_at is not null and route = any($1)
        and state in ('submitting', 'submitted', 'in_doubt')
      union all
      select book_id, route, currency, state, amount_minor from transfers
      where flagged_at is not null and next_action_at is null and route = any($1)
        and state in ('submitting', 'submitted', 'in_doubt')
    ) t
    where t.book_id <> all (${ELSEWHERE})
    group by 1, 2`,
};
