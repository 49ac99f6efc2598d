import type { Queryable, Statement } from '../postgres/database.ts';

/** One process at a time places the events of a cell. The number is arbitrary but must never change. */
const FEED_LOCK = 7_246_310_578;
/** Rows of feed_pending that one statement takes at most. Each row has one event, or up to about a thousand. */
const PENDING_MAX = 1_024;
/** After this many events a statement takes no further row. */
const PENDING_EVENTS_MAX = 50_000;
/** Events of one batch. A page of the feed then reads few batches, and few events beyond the page. */
const BATCH_EVENTS_MAX = 500;

export type Placed = Readonly<{
  /** How many deliveries were queued. */
  deliveries: number;
  /** Whether any merchant has an endpoint that is enabled. */
  hasEndpoints: boolean;
}>;

/**
 * Gives every committed event its place in its book's feed, and queues a delivery for every endpoint that subscribes to
 * it. Must run inside a transaction, since it holds a lock until the end; payouts do not take this lock.
 *
 * An event is placed after its transaction has committed and while the lock is held. So events that are placed later
 * come later in the feed, however long their transaction took, and an endpoint that was committed before an event is
 * always seen here.
 */
export async function placeEvents(tx: Queryable): Promise<Placed> {
  await tx.query(LOCK);
  let deliveries = 0;
  for (;;) {
    // A separate statement, because it must see everything that the previous holder of the lock committed. With the
    // lock in the same statement, events were placed without a delivery to an endpoint that it did not see.
    const [row] = await tx.query<Placed & { seen: number; taken: number }>(PLACE);
    if (row === undefined) return { deliveries, hasEndpoints: false };
    deliveries += row.deliveries;
    const { seen, taken, hasEndpoints } = row;
    if (seen < PENDING_MAX && taken === seen) return { deliveries, hasEndpoints };
  }
}

export async function hasPendingEvents(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ pending: boolean }>(HAS_PENDING);
  return row?.pending === true;
}

const LOCK: Statement = {
  name: 'lock-feed',
  text: `select pg_advisory_xact_lock(hashtextextended(current_schema(), ${FEED_LOCK}))`,
};

const HAS_PENDING: Statement = {
  name: 'has-pending-events',
  text: 'select exists (select 1 from feed_pending) as pending',
};

// The limits are in the text, because a statement without parameters is planned once for each connection: planning
// costs more than running it.
//
// The events of a subject keep the order of their numbers, even when the clock was set back between them. Batch numbers
// are microseconds and never go back: a database that was restored from an older copy continues after everything that
// it ever showed. A test event is delivered to one endpoint only, by the statement that creates it.
const PLACE: Statement = {
  name: 'place-events',
  text: `
    with oldest as materialized (
      select o.ctid as row_id,
             sum(cardinality(o.seqs)) over (order by o.written_at, o.ctid)
               - cardinality(o.seqs) as events_before
      from (
        select p.ctid, p.written_at, p.seqs from feed_pending p
        order by p.written_at, p.ctid limit ${PENDING_MAX}
      ) o
    ),
    taken as (
      delete from feed_pending p
      where p.ctid = any (array(
        select row_id from oldest where events_before < ${PENDING_EVENTS_MAX}
      ))
      returning p.written_at, p.book_ids, p.subject_ids, p.seqs
    ),
    written as (
      select e.book_id, e.subject_id, e.seq,
             max(t.written_at) over (
               partition by e.book_id, e.subject_id order by e.seq
             ) as not_before
      from taken t
      cross join lateral unnest(t.book_ids, t.subject_ids, t.seqs) as e (book_id, subject_id, seq)
    ),
    ordered as materialized (
      select book_id, subject_id, seq,
             row_number() over (partition by book_id order by not_before, subject_id, seq) - 1 as place
      from written
    ),
    extent as materialized (select max(place) / ${BATCH_EVENTS_MAX} as parts from ordered),
    clock as (
      update feed_clock c
      set last_number = x.parts + greatest(
            c.last_number + 1, (1000000 * extract(epoch from clock_timestamp()))::bigint
          )
      from extent x
      where x.parts is not null
      returning c.last_number - x.parts as first_number
    ),
    placed as (
      insert into feed_batches (book_id, number, subject_ids, seqs)
      select o.book_id, c.first_number + o.place / ${BATCH_EVENTS_MAX},
             array_agg(o.subject_id order by o.place), array_agg(o.seq order by o.place)
      from ordered o cross join clock c
      group by o.book_id, c.first_number, o.place / ${BATCH_EVENTS_MAX}
    ),
    queued as (
      insert into deliveries (
        book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at
      )
      select o.book_id, gen_random_uuid(), w.id, o.subject_id, o.seq, now(), e.created_at
      from ordered o
      join webhook_endpoints w on w.book_id = o.book_id and w.status = 'enabled'
      cross join lateral (
        select e.type, e.created_at from events e
        where e.book_id = o.book_id and e.subject_id = o.subject_id and e.seq = o.seq
        limit 1
      ) e
      where e.type <> 'webhook.test' and (cardinality(w.events) = 0 or e.type = any (w.events))
      returning 1
    )
    select (select count(*) from oldest)::integer as seen,
           (select count(*) from taken)::integer as taken,
           (select count(*) from queued)::integer as deliveries,
           exists (select 1 from webhook_endpoints where status = 'enabled') as "hasEndpoints"`,
};
