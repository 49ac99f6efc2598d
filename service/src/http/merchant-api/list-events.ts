import { parseUuid } from '../../domain/uuid.ts';
import { isEventType } from '../../events/event-types.ts';
import type { FeedKeeper } from '../../events/feed-keeper.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findOldPosition, type OldPosition } from '../../views/find-old-position.ts';
import { type FeedPosition, listEvents } from '../../views/list-events.ts';
import { EventListQuery, EventPage } from '../schemas/event-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';

const LIST = 'events';
const TYPES = 'One of the types of events, such as transfer.successful.';

export type ListEventsDeps = Readonly<{ database: Queryable; feed: Pick<FeedKeeper, 'catchUp'> }>;

export function listEventsOperation({ database, feed }: ListEventsDeps): ApiOperation {
  return {
    method: 'GET',
    path: '/events',
    operationId: 'listEvents',
    tag: 'Events',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List events',
    description:
      'Oldest first. Store `nextCursor` and send it with the next call: you then get all later events, ' +
      'each once, however much time has passed. Each type has a JSON Schema under `docs/events/`.',
    schema: { querystring: EventListQuery, data: { 200: EventPage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(EventListQuery.properties));
      const { limit, after, type } = read.checked({
        limit: read.limit(),
        after: read.cursor(LIST, parsePosition),
        type: read.word('type', isEventType, 'INVALID_EVENTS', TYPES),
      });
      await feed.catchUp();
      const bookId = book.id;
      const position =
        after !== null && 'xid' in after ? await findOldPosition(database, bookId, after) : after;
      const page = await listEvents(database, { bookId, type, after: position, limit });
      return {
        status: 200,
        message: 'Events listed',
        data: {
          items: page.items,
          nextCursor: page.position === null ? null : encodeCursor(LIST, format(page.position)),
        },
      };
    },
  };
}

function format({ batch, place }: FeedPosition): string {
  return `${batch}.${place}`;
}

/** The pattern bounds lengths, so that they fit PostgreSQL's types. Cursors of earlier releases have three parts. */
function parsePosition(text: string): FeedPosition | OldPosition | undefined {
  const [, batch, place] = /^([0-9]{1,18})\.([0-9]{1,9})$/.exec(text) ?? [];
  if (batch !== undefined) return { batch: BigInt(batch), place: Number(place) };
  const [, xid, uuid = '', seq] = /^([0-9]{1,19})\.([^.]+)\.([0-9]{1,9})$/.exec(text) ?? [];
  const subjectId = parseUuid(uuid);
  if (xid === undefined || subjectId === undefined) return undefined;
  return { xid, subjectId, seq: Number(seq) };
}
