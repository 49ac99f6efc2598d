import { isEventType } from '../../events/event-types.ts';
import type { FeedPosition } from '../../views/list-events.ts';
import { listLatestEvents } from '../../views/list-latest-events.ts';
import type { ListEventsDeps } from '../merchant-api/list-events.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { EventListQuery, LatestEventPage } from '../schemas/event-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';

const LIST = 'latest-events';

export function listLatestEventsOperation({ database, feed }: ListEventsDeps): PeopleOperation {
  return {
    method: 'GET',
    path: '/events/latest',
    operationId: 'listLatestEvents',
    tag: 'Events',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List the latest events',
    description: 'The feed from its end, for people: newest first.',
    schema: { querystring: EventListQuery, data: { 200: LatestEventPage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(EventListQuery.properties));
      const { limit, before, type } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parsePosition),
        type: read.word('type', isEventType, 'INVALID_EVENTS'),
      });
      await feed.catchUp();
      const { items, next } = await listLatestEvents(database, {
        bookId: book.id,
        type,
        before,
        limit,
      });
      const nextCursor = next === null ? null : encodeCursor(LIST, `${next.batch}.${next.place}`);
      return { status: 200, message: 'Events listed', data: { items, nextCursor } };
    },
  };
}

/** The lengths always fit PostgreSQL's types. */
function parsePosition(text: string): FeedPosition | undefined {
  const [, batch, place] = /^([0-9]{1,18})\.([0-9]{1,9})$/.exec(text) ?? [];
  return batch === undefined ? undefined : { batch: BigInt(batch), place: Number(place) };
}
