import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { deleteEndpoint } from '../../webhooks/delete-endpoint.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeletedWebhook } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function deleteWebhookOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
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
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      await deleteEndpoint(database, { bookId: book.id, id });
      return { status: 200, message: 'Webhook deleted', data: { id } };
    },
  };
}
