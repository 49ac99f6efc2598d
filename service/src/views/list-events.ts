import type { EventType } from '../events/event-types.ts';
import { eventKey } from '../events/recorded-event.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type RenderedEvent, renderEvents } from './render-event.ts';

/** The position of a reader of the feed: after this place of this batch of its book. */
export type FeedPosition = Readonly<{ batch: bigint; place: number }>;

/**
 * What one call looks at for events of one type, of which there may be none in millions. 20,000 events take a quarter of
 * a second. A batch has up to 500 events, and only one where little is paid.
 */
const LOOKED_AT: LookedAt = { batchesMax: 2_000, eventsMax: 20_000, againMax: 2_000 };

type LookedAt = Readonly<{
  batchesMax: number;
  eventsMax: number;
  /** How many events, at most, a reader that found none up to the end of the feed looks at again with its next call. */
  againMax: number;
}>;

type EventQuery = Readonly<{
  bookId: string;
  type: EventType | null;
  after: FeedPosition | null;
  limit: number;
}>;

/**
 * The book's events in one fixed order, oldest first, after `after`. A batch never changes, and a new one comes after
 * all existing ones: a reader that continues from its position misses nothing and sees nothing twice. The events of one
 * subject are in the order of their `sequence`. Of one type there may be fewer than `limit`, or none, although more come
 * later: the position then is where the look ended. It stays the same at the end of the feed, also while events of
 * other types come.
 */
export async function listEvents(
  database: Queryable,
  query: EventQuery,
  lookedAt = LOOKED_AT,
): Promise<Readonly<{ items: readonly RenderedEvent[]; position: FeedPosition | null }>> {
  const { bookId, after } = query;
  const { rows, end } = await readFeed(database, query, lookedAt);
  const keys = rows.map((row) => ({ bookId, subjectId: row.subject_id, seq: row.seq }));
  const rendered = await renderEvents(database, keys);
  const items = keys.map((key) => {
    const event = rendered.get(eventKey(key));
    if (event === undefined) throw new Error(`the event ${eventKey(key)} cannot be rendered`);
    return event;
  });
  return { items, position: end ?? after };
}

/** Undefined: nothing for the reader comes after the position. */
async function readFeed(
  database: Queryable,
  { bookId, type, after, limit }: EventQuery,
  { batchesMax, eventsMax, againMax }: LookedAt,
): Promise<Readonly<{ rows: readonly FeedRow[]; end: FeedPosition | undefined }>> {
  const { batch, place } = after ?? FEED_BEGINNING;
  const values = [bookId, batch, place, limit];
  if (type === null) {
    const rows = await database.query<FeedRow>(LIST, values);
    return { rows, end: toPosition(rows.at(-1)) };
  }
  const found = await database.query<FoundRow>(LIST_OF_TYPE, [
    ...values,
    type,
    batchesMax,
    eventsMax,
  ]);
  const rows = found.filter((row): row is LookedRow & FeedRow => row.batch !== null);
  const [looked] = found;
  if (rows.length === limit || looked === undefined) return { rows, end: toPosition(rows.at(-1)) };
  // Clients read on until the position stays the same. If it moved past events of other types, it would never stay in
  // a book that places one between two calls.
  if (rows.length === 0 && !looked.has_more && looked.looked_at <= againMax)
    return { rows, end: undefined };
  return { rows, end: { batch: looked.end_batch, place: looked.end_place } };
}

function toPosition(row: FeedRow | undefined): FeedPosition | undefined {
  return row && { batch: row.batch, place: Number(row.place) };
}

export const FEED_BEGINNING: FeedPosition = { batch: 0n, place: 0 };

type FeedRow = { batch: bigint; place: bigint; subject_id: string; seq: number };

type LookedRow = { end_batch: bigint; end_place: number; looked_at: number; has_more: boolean };
/** With nulls: the single row of a look that found nothing. */
type FoundRow = LookedRow & (FeedRow | Readonly<Record<keyof FeedRow, null>>);

const LIST: Statement = {
  name: '',
  text: `
    select f.number as batch, k.place, k.subject_id, k.seq
    from feed_batches f
    cross join lateral unnest(f.subject_ids, f.seqs) with ordinality as k (subject_id, seq, place)
    where f.book_id = $1 and f.number >= $2 and (f.number > $2 or k.place > $3)
    order by f.number, k.place
    limit $4`,
};

// One statement: a batch that is placed between two would be passed over.
const LIST_OF_TYPE: Statement = {
  name: '',
  text: `
    with next as (
      select f.number, cardinality(f.seqs) as events
      from feed_batches f
      where f.book_id = $1 and f.number >= $2
      order by f.number
      limit $6
    ),
    looked as materialized (
      select n.number, n.events
      from (select n.number, n.events, sum(n.events) over (order by n.number) as total from next n) n
      where n.total - n.events < $7::integer
    ),
    found as (
      select f.number as batch, k.place, k.subject_id, k.seq
      from looked l
      join feed_batches f on f.book_id = $1 and f.number = l.number
      cross join lateral unnest(f.subject_ids, f.seqs) with ordinality as k (subject_id, seq, place)
      where (f.number > $2 or k.place > $3) and $5 = (
        select e.type from events e
        where e.book_id = f.book_id and e.subject_id = k.subject_id and e.seq = k.seq
      )
      order by f.number, k.place
      limit $4
    )
    select e.number as end_batch, e.events as end_place,
           (select sum(l.events)::integer from looked l) as looked_at,
           exists (select from feed_batches n where n.book_id = $1 and n.number > e.number) as has_more,
           f.batch, f.place, f.subject_id, f.seq
    from (select l.number, l.events from looked l order by l.number desc limit 1) e
    left join found f on true
    order by f.batch, f.place`,
};
