import { describeCause } from '../domain/cause.ts';
import type { EventType } from '../events/event-types.ts';
import { eventKey, keyColumns, type ShowSubjects } from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';
import { renderEndpoint } from './render-endpoint.ts';

/** Endpoints as they were when they were disabled, even when they have been changed or deleted since. */
export const showEndpoints: ShowSubjects = async (database, events) => {
  const rows = await database.query<EndpointRow>(READ, keyColumns(events));
  const rowByKey = new Map(
    rows.map((row) => [
      eventKey({ bookId: row.book_id, subjectId: row.id, seq: row.event_seq }),
      row,
    ]),
  );
  const shown = new Map<string, object>();
  for (const event of events) {
    const row = rowByKey.get(eventKey(event));
    if (row === undefined) continue;
    const endpoint = renderEndpoint({
      id: row.id,
      url: row.url,
      events: row.events,
      status: 'disabled',
      disabledReason: describeCause(event.cause),
      createdAt: row.created_at,
    });
    shown.set(eventKey(event), endpoint);
  }
  return shown;
};

type EndpointRow = {
  book_id: string;
  id: string;
  event_seq: number;
  url: string;
  events: EventType[];
  created_at: Date;
};

// The first version that covers the event; without one, the endpoint has not changed since.
const READ: Statement = {
  name: 'show-endpoints',
  text: `
    select k.book_id, k.id, k.seq as event_seq, v.url, v.events, v.created_at
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, id, seq)
    cross join lateral (
      select v.url, v.events, v.created_at, v.last_event_seq
      from webhook_endpoint_versions v
      where v.book_id = k.book_id and v.endpoint_id = k.id and v.last_event_seq >= k.seq
      union all
      select e.url, e.events, e.created_at, null
      from webhook_endpoints e
      where e.book_id = k.book_id and e.id = k.id
      order by last_event_seq nulls last
      limit 1
    ) v`,
};
