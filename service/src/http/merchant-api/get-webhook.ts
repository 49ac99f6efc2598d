import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { renderEndpoint } from '../../views/render-endpoint.ts';
import { findEndpoint } from '../../webhooks/list-endpoints.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { WebhookObject } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function getWebhookOperation({ database }: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/webhooks/:id',
    operationId: 'getWebhook',
    tag: 'Webhooks',
    scope: 'read',
    permission: 'webhooks:read',
    summary: 'Get a webhook',
    description: 'One webhook of the book, as it is now. Its secret is not shown again.',
    schema: {
      params: idParameter('webhook'),
      data: { 200: WebhookObject },
    },
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      const endpoint =
        id === undefined ? undefined : await findEndpoint(database, { bookId: book.id, id });
      if (endpoint === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      return { status: 200, message: 'Webhook found', data: renderEndpoint(endpoint) };
    },
  };
}
