import type { Queryable, Statement } from '../../postgres/database.ts';
import { CALLBACK_BYTES_OF_ROUTE_MAX, CALLBACKS_OF_ROUTE_MAX } from './store-callbacks.ts';

export const CALLBACKS_CLEANED_AT_ONCE_MAX = 500;

/** How long a callback is kept after it was handled: the time in which operators settle disputes. */
const KEPT_DAYS = 30;
/** Where a route has nearly reached its maximum, its oldest callbacks are deleted sooner, but not within a day. */
const KEPT_DAYS_WHEN_FULL = 1;
const FULL_SHARE = 0.9;
const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Deletes a batch of callbacks that were handled long ago. Callbacks of a transfer that is not decided, or of an open
 * incident, are kept at any age, because people need them. Returns how many were deleted.
 */
export async function cleanCallbacks(database: Queryable, at: Date): Promise<number> {
  const before = (days: number) => new Date(at.getTime() - days * DAY_MS);
  const [row] = await database.query<{ cleaned: number }>(CLEAN, [
    before(KEPT_DAYS),
    before(KEPT_DAYS_WHEN_FULL),
    CALLBACKS_OF_ROUTE_MAX * FULL_SHARE,
    CALLBACK_BYTES_OF_ROUTE_MAX * FULL_SHARE,
    CALLBACKS_CLEANED_AT_ONCE_MAX,
  ]);
  return row?.cleaned ?? 0;
}

const CLEAN: Statement = {
  name: 'clean-callbacks',
  text: `
    with full_routes as materialized (
      select u.route from callback_usage u where u.calls > $3::numeric or u.bytes > $4::numeric
    ),
    old as materialized (
      select c.id, c.route, octet_length(c.body) as bytes
      from callbacks c
      where c.handled_at < $2::timestamptz
        and (
          c.handled_at < $1::timestamptz or c.route in (select f.route from full_routes f)
        )
        and not exists (
          select from transfers t
          where t.operator_reference = c.operator_reference
            and (
              t.state in ('submitting', 'submitted', 'in_doubt')
              or exists (
                select from incidents i
                where i.book_id = t.book_id and i.transfer_id = t.id and i.closed_at is null
              )
            )
        )
      order by c.handled_at
      limit $5
      for update of c skip locked
    ),
    cleaned as (
      delete from callbacks c using old o where c.id = o.id
      returning o.route, o.bytes
    ),
    freed as materialized (
      select d.route, count(*) as calls, sum(d.bytes) as bytes from cleaned d group by d.route
    ),
    locked as materialized (
      select u.route from callback_usage u
      where u.route in (select f.route from freed f)
      order by u.route
      for update
    ),
    counted as (
      update callback_usage u set calls = u.calls - f.calls, bytes = u.bytes - f.bytes
      from freed f join locked l on l.route = f.route
      where u.route = f.route
    )
    select count(*)::integer as cleaned from cleaned`,
};
