import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { renderEndpoint } from '../../views/render-endpoint.ts';
import { updateEndpoint } from '../../webhooks/update-endpoint.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { WebhookChangeBody, WebhookObject } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { WebhookDeps } from './create-webhook.ts';
import { readOptionalEvents, readOptionalStatus, readOptionalUrl } from './read-webhook-body.ts';

export function updateWebhookOperation(
  deps: Pick<WebhookDeps, 'database' | 'now' | 'newId' | 'toLoopback'>,
): ApiOperation {
  return {
    method: 'PATCH',
    path: '/webhooks/:id',
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Change a webhook',
    description:
      'Changes only the fields that you send. `status: enabled` enables a disabled webhook again; ' +
      'the events it missed meanwhile are in the list of events, and failed deliveries can be replayed.',
    schema: {
      params: idParameter('webhook'),
      body: WebhookChangeBody,
      data: { 200: WebhookObject },
    },
    async handle({ caller: { book, actor }, params, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(WebhookChangeBody.properties));
      const { mode } = book;
      const change = read.checked({
        url: readOptionalUrl({ read, body }, { mode, toLoopback: deps.toLoopback }),
        events: readOptionalEvents({ read, body }),
        status: readOptionalStatus({ read, body }),
      });
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      const endpoint = await updateEndpoint(deps, {
        actor,
        merchantId: book.merchantId,
        bookId: book.id,
        id,
        change,
      });
      return { status: 200, message: 'Webhook changed', data: renderEndpoint(endpoint) };
    },
  };
}
