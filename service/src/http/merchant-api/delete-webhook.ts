import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { deleteEndpoint } from '../../webhooks/delete-endpoint.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeletedWebhook } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { WebhookDeps } from './create-webhook.ts';

export function deleteWebhookOperation(
  deps: Pick<WebhookDeps, 'database' | 'now' | 'newId'>,
): ApiOperation {
  return {
    method: 'DELETE',
    path: '/webhooks/:id',
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Delete a webhook',
    description: 'Nothing more is sent to it. Its deliveries can no longer be seen or replayed.',
    schema: {
      params: idParameter('webhook'),
      data: { 200: DeletedWebhook },
    },
    async handle({ caller: { book, actor }, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      await deleteEndpoint(deps, { actor, merchantId: book.merchantId, bookId: book.id, id });
      return { status: 200, message: 'Webhook deleted', data: { id } };
    },
  };
}
