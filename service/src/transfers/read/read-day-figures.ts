import { SERVED_HERE } from '../../cells/served-here.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { HOUR_OF_END } from './hour-of-end.ts';

/** What became of transfers of live books in one day (UTC). */
export type DayFigures = Readonly<{
  /** `2026-11-15`. */
  day: string;
  paid: number;
  failed: number;
  doubtsOpened: number;
  doubtsEnded: number;
  /** From the order to its end, of paid transfers. */
  medianMs: number | null;
  p99Ms: number | null;
  /** There were more transfers than are read: the figures are of live ones among the first ENDED_READ_MAX. */
  isPartial: boolean;
}>;

/** About a second of reading. */
const ENDED_READ_MAX = 200_000;
const DAY_MS = 24 * 3_600_000;

/** Reads the transfers that ended on a day, by the index of the hours of their end, and the doubts of that day. */
export async function readDayFigures(database: Queryable, day: string): Promise<DayFigures> {
  const from = new Date(`${day}T00:00:00Z`);
  const to = new Date(from.getTime() + DAY_MS);
  const [row] = await database.query<DayRow>(READ, [from, to, ENDED_READ_MAX]);
  return {
    day,
    paid: row?.paid ?? 0,
    failed: row?.failed ?? 0,
    doubtsOpened: row?.opened ?? 0,
    doubtsEnded: row?.ended ?? 0,
    medianMs: row?.median_ms ?? null,
    p99Ms: row?.p99_ms ?? null,
    isPartial: (row?.seen ?? 0) >= ENDED_READ_MAX,
  };
}

type DayRow = {
  seen: number;
  paid: number;
  failed: number;
  median_ms: number | null;
  p99_ms: number | null;
  opened: number;
  ended: number;
};

// The books are chosen after the limit: else a day of test payouts would be read whole to find the live ones.
const READ: Statement = {
  name: '',
  text: `
    with live as materialized (
      select b.id
      from books b
      join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
      where b.mode = 'live'
    ),
    read as (
      select t.book_id, t.state, 1000 * extract(epoch from t.completed_at - t.created_at) as ms
      from transfers t
      where t.completed_at is not null and ${HOUR_OF_END} >= $1 and ${HOUR_OF_END} < $2
      limit $3
    ),
    day as (
      select case when r.book_id in (select l.id from live l) then r.state end as state, r.ms
      from read r
    ),
    doubts as (
      select count(*) filter (where e.is_live and e.to_state = 'in_doubt')::integer as opened,
             count(*) filter (where e.is_live and e.from_state = 'in_doubt')::integer as ended
      from (
        select e.to_state, e.from_state, e.book_id in (select l.id from live l) as is_live
        from events e
        where (e.to_state = 'in_doubt' or e.from_state = 'in_doubt')
          and e.created_at >= $1 and e.created_at < $2
      ) e
    )
    select count(*)::integer as seen,
           count(*) filter (where d.state in ('succeeded', 'reversed'))::integer as paid,
           count(*) filter (where d.state = 'failed')::integer as failed,
           (percentile_disc(0.5) within group (order by d.ms) filter (where d.state = 'succeeded'))::float8
             as median_ms,
           (percentile_disc(0.99) within group (order by d.ms) filter (where d.state = 'succeeded'))::float8
             as p99_ms,
           (select opened from doubts) as opened, (select ended from doubts) as ended
    from day d`,
};
