import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { eventKey } from '../../events/recorded-event.ts';
import type { Queryable } from '../../postgres/database.ts';
import { renderEvents } from '../../views/render-event.ts';
import { EventId, EventObject } from '../schemas/event-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';

export function getEventOperation({
  database,
}: Readonly<{ database: Queryable }>): PeopleOperation {
  return {
    method: 'GET',
    path: '/events/:id',
    operationId: 'getEvent',
    tag: 'Events',
    permission: 'payouts:read',
    summary: 'Get an event',
    description: 'The same as in the feed and in every delivery.',
    schema: { params: EventId, data: { 200: EventObject } },
    async handle({ caller: { book }, params }) {
      const parsed = parseEventId(params.id ?? '');
      if (parsed === undefined) throw refuse('NOT_FOUND');
      const key = { bookId: book.id, ...parsed };
      const event = (await renderEvents(database, [key])).get(eventKey(key));
      if (event === undefined) throw refuse('NOT_FOUND');
      return { status: 200, message: 'Event found', data: event };
    },
  };
}

/** `evt_`, the id of the subject without hyphens, and the number of the event there. */
function parseEventId(text: string) {
  const [, hex = '', seq = ''] = /^evt_([0-9a-f]{32})_([1-9][0-9]{0,8})$/.exec(text) ?? [];
  const subjectId = parseUuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  return subjectId === undefined ? undefined : { subjectId, seq: Number(seq) };
}
