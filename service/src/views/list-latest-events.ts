import type { EventType } from '../events/event-types.ts';
import { eventKey } from '../events/recorded-event.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { FeedPosition } from './list-events.ts';
import { type RenderedEvent, renderEvents } from './render-event.ts';

type Query = Readonly<{
  bookId: string;
  type: EventType | null;
  /** Null: from the latest. */
  before: FeedPosition | null;
  limit: number;
}>;

/** The book's feed from its end: people look at what happened last, programs read on from where they were. */
export async function listLatestEvents(
  database: Queryable,
  { bookId, type, before, limit }: Query,
): Promise<Readonly<{ items: readonly RenderedEvent[]; next: FeedPosition | null }>> {
  const rows = await database.query<FeedRow>(LIST, [
    bookId,
    before?.batch ?? null,
    before?.place ?? null,
    type,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const keys = page.map((row) => ({ bookId, subjectId: row.subject_id, seq: row.seq }));
  const rendered = await renderEvents(database, keys);
  const items = keys.map((key) => {
    const event = rendered.get(eventKey(key));
    if (event === undefined) throw new Error(`the event ${eventKey(key)} cannot be rendered`);
    return event;
  });
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, next: hasMore ? { batch: last.batch, place: Number(last.place) } : null };
}

type FeedRow = { batch: bigint; place: bigint; subject_id: string; seq: number };

// Not prepared, so that the planner sees whether there is a filter.
const LIST: Statement = {
  name: '',
  text: `
    select f.number as batch, k.place, k.subject_id, k.seq
    from feed_batches f
    cross join lateral unnest(f.subject_ids, f.seqs) with ordinality as k (subject_id, seq, place)
    where f.book_id = $1
      and ($2::bigint is null or (f.number <= $2 and (f.number < $2 or k.place < $3)))
      and (
        $4::text is null
        or $4 = (
          select e.type from events e
          where e.book_id = f.book_id and e.subject_id = k.subject_id and e.seq = k.seq
        )
      )
    order by f.number desc, k.place desc
    limit $5`,
};
