import type { Queryable, Statement } from '../postgres/database.ts';
import type { EventType } from './event-types.ts';
import { eventKey } from './noted-event.ts';
import { type RenderedEvent, renderEvents } from './render-event.ts';

/** Where a reader of the feed stands: after this event. */
export type FeedPosition = Readonly<{ xid: string; subjectId: string; seq: number }>;

/**
 * The book's events in one fixed order, oldest first, after `after`. Ordered by the transaction that
 * wrote them, and only those of transactions that ended before all that still run: whatever commits
 * later has a place behind everything that was shown, so a reader that goes on from its position misses
 * nothing, however long a transaction took. The order within one subject is that of its `sequence`.
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
  const { xid, subjectId, seq } = after ?? BEFORE_ALL;
  const rows = await database.query<FeedRow>(LIST, [bookId, xid, subjectId, seq, type, limit]);
  const keys = rows.map((row) => ({ bookId, subjectId: row.subject_id, seq: row.seq }));
  const rendered = await renderEvents(database, keys);
  const items = keys.map((key) => {
    const event = rendered.get(eventKey(key));
    if (event === undefined) throw new Error(`the event ${eventKey(key)} cannot be rendered`);
    return event;
  });
  const last = rows.at(-1);
  if (last === undefined) return { items, position: after };
  return { items, position: { xid: last.xid, subjectId: last.subject_id, seq: last.seq } };
}

const BEFORE_ALL: FeedPosition = {
  xid: '0',
  subjectId: '00000000-0000-0000-0000-000000000000',
  seq: 0,
};

type FeedRow = { xid: string; subject_id: string; seq: number };

// Not prepared: with a plan for these very values the planner sees whether there is a filter.
const LIST: Statement = {
  name: '',
  text: `
    select e.xid::text as xid, e.subject_id, e.seq
    from events e
    where e.book_id = $1 and e.type is not null
      and (e.xid, e.subject_id, e.seq) > ($2::text::xid8, $3::uuid, $4::integer)
      and e.xid < pg_snapshot_xmin(pg_current_snapshot())
      and ($5::text is null or e.type = $5)
    order by e.xid, e.subject_id, e.seq
    limit $6`,
};
