import { parseUuid } from '../../domain/uuid.ts';
import type { FeedKeeper } from '../../events/feed-keeper.ts';
import type { Queryable } from '../../postgres/database.ts';
import { isDeliveryState } from '../../webhooks/delivery.ts';
import { type DeliveryPosition, listDeliveries } from '../../webhooks/list-deliveries.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeliveryListQuery, DeliveryPage } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';
import { renderDelivery } from './render-delivery.ts';

const LIST = 'deliveries';
const STATES = 'One of pending, delivered, failed.';
/** Replaces a malformed id, so that it is answered exactly like an unknown one. */
const NO_WEBHOOK = '00000000-0000-0000-0000-000000000000';

export type ListDeliveriesDeps = Readonly<{
  database: Queryable;
  /** Queues the deliveries of events that have just happened. */
  feed: Pick<FeedKeeper, 'catchUp'>;
}>;

export function listDeliveriesOperation({ database, feed }: ListDeliveriesDeps): ApiOperation {
  return {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    operationId: 'listDeliveries',
    tag: 'Webhooks',
    scope: 'read',
    permission: 'webhooks:read',
    readsPage: true,
    summary: 'List the deliveries of a webhook',
    description: 'Newest first, each with its attempts and what your server answered.',
    schema: {
      params: idParameter('webhook'),
      querystring: DeliveryListQuery,
      data: { 200: DeliveryPage },
    },
    async handle({ caller: { book }, params, query }) {
      const read = createQueryReader(query, Object.keys(DeliveryListQuery.properties));
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parsePosition),
        state: read.word('state', isDeliveryState, 'INVALID_STATE', STATES),
        from: read.time('from'),
        to: read.time('to'),
      });
      const endpoint = { bookId: book.id, id: parseUuid(params.id ?? '') ?? NO_WEBHOOK };
      await feed.catchUp();
      const page = await listDeliveries(database, { endpoint, filter, page: { limit, before } });
      return {
        status: 200,
        message: 'Deliveries listed',
        data: {
          items: page.items.map(renderDelivery),
          nextCursor: page.next === null ? null : encodeCursor(LIST, formatPosition(page.next)),
        },
      };
    },
  };
}

function formatPosition({ createdAt, id }: DeliveryPosition): string {
  return `${createdAt.getTime()}.${id}`;
}

function parsePosition(text: string): DeliveryPosition | undefined {
  const [, time, uuid = ''] = /^([0-9]{1,15})\.(.+)$/.exec(text) ?? [];
  const id = parseUuid(uuid);
  return time === undefined || id === undefined
    ? undefined
    : { createdAt: new Date(Number(time)), id };
}
