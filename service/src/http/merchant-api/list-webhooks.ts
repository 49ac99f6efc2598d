import type { Queryable } from '../../postgres/database.ts';
import { renderEndpoint } from '../../views/render-endpoint.ts';
import { listEndpoints } from '../../webhooks/list-endpoints.ts';
import { WebhookPage } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function listWebhooksOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    scope: 'read',
    permission: 'webhooks:read',
    summary: 'List webhooks',
    description: 'All webhooks of the book, newest first.',
    schema: { data: { 200: WebhookPage } },
    async handle({ caller: { book } }) {
      const endpoints = await listEndpoints(database, { bookId: book.id });
      return {
        status: 200,
        message: 'Webhooks listed',
        data: { items: endpoints.map(renderEndpoint), nextCursor: null },
      };
    },
  };
}
