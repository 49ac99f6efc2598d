import { parseUuid } from '../../domain/uuid.ts';
import { isEventType } from '../../events/event-types.ts';
import { type FeedPosition, listEvents } from '../../events/list-events.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { ApiRoute } from '../api-route.ts';
import { createQueryReader, encodeCursor } from '../read-page.ts';
import { EventListQuery, EventPage } from '../schemas/event-schema.ts';

const LIST = 'events';
const TYPES = 'One of the types of events, such as transfer.successful.';

export function listEventsRoute({ database }: Readonly<{ database: Queryable }>): ApiRoute {
  return {
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    tag: 'Events',
    scope: 'read',
    summary: 'List events',
    description:
      'Oldest first. Keep `nextCursor` and come back with it: you then see everything that happened ' +
      'since, each event once, however long you were away. An event shows here at most a few seconds ' +
      'after it happened. Each type has a JSON Schema under `docs/events/`.',
    schema: { querystring: EventListQuery, data: { 200: EventPage } },
    async handle({ key: { book }, query }) {
      const read = createQueryReader(query, Object.keys(EventListQuery.properties));
      const { limit, after, type } = read.checked({
        limit: read.limit(),
        after: read.cursor(LIST, parsePosition),
        type: read.word('type', isEventType, 'INVALID_EVENTS', TYPES),
      });
      const page = await listEvents(database, { bookId: book.id, type, after, limit });
      const { items, position } = page;
      return {
        status: 200,
        message: 'Events listed',
        data: {
          items,
          nextCursor: position === null ? null : encodeCursor(LIST, formatPosition(position)),
        },
      };
    },
  };
}

function formatPosition({ xid, subjectId, seq }: FeedPosition): string {
  return `${xid}.${subjectId}.${seq}`;
}

/** The digits are as many as PostgreSQL's types always hold. */
function parsePosition(text: string): FeedPosition | undefined {
  const [, xid, uuid = '', seq] = /^([0-9]{1,19})\.([^.]+)\.([0-9]{1,9})$/.exec(text) ?? [];
  const subjectId = parseUuid(uuid);
  if (xid === undefined || subjectId === undefined) return undefined;
  return { xid, subjectId, seq: Number(seq) };
}
