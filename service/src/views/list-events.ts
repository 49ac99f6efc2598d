import type { EventType } from '../events/event-types.ts';
import { eventKey } from '../events/recorded-event.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type RenderedEvent, renderEvents } from './render-event.ts';

/** The position of a reader of the feed: after this place of this batch of its book. */
export type FeedPosition = Readonly<{ batch: bigint; place: number }>;

/**
 * The book's events in one fixed order, oldest first, after `after`. A batch never changes, and a new one comes after
 * all existing ones: a reader that continues from its position misses nothing and sees nothing twice. The events of one
 * subject are in the order of their `sequence`.
 */
export async function listEvents(
  database: Queryable,
  query: Readonly<{
    bookId: string;
    type: EventType | null;
    after: FeedPosition | null;
    limit: number;
  }>,
): Promise<Readonly<{ items: readonly RenderedEvent[]; position: FeedPosition | null }>> {
  const { bookId, type, after, limit } = query;
  const { batch, place } = after ?? FEED_BEGINNING;
  const rows = await database.query<FeedRow>(LIST, [bookId, batch, place, type, limit]);
  const keys = rows.map((row) => ({ bookId, subjectId: row.subject_id, seq: row.seq }));
  const rendered = await renderEvents(database, keys);
  const items = keys.map((key) => {
    const event = rendered.get(eventKey(key));
    if (event === undefined) throw new Error(`the event ${eventKey(key)} cannot be rendered`);
    return event;
  });
  const last = rows.at(-1);
  if (last === undefined) return { items, position: after };
  return { items, position: { batch: last.batch, place: Number(last.place) } };
}

export const FEED_BEGINNING: FeedPosition = { batch: 0n, place: 0 };

type FeedRow = { batch: bigint; place: bigint; subject_id: string; seq: number };

// Not prepared, so that the planner sees whether there is a filter.
const LIST: Statement = {
  name: '',
  text: `
    select f.number as batch, k.place, k.subject_id, k.seq
    from feed_batches f
    cross join lateral unnest(f.subject_ids, f.seqs) with ordinality as k (subject_id, seq, place)
    where f.book_id = $1 and f.number >= $2 and (f.number > $2 or k.place > $3)
      and (
        $4::text is null
        or $4 = (
          select e.type from events e
          where e.book_id = f.book_id and e.subject_id = k.subject_id and e.seq = k.seq
        )
      )
    order by f.number, k.place
    limit $5`,
};
