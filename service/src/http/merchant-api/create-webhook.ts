import { renderEndpoint } from '../../views/render-endpoint.ts';
import { createEndpoint, type EndpointDeps } from '../../webhooks/create-endpoint.ts';
import type { WebhookUrlRules } from '../../webhooks/webhook-url.ts';
import { WebhookBody, WebhookWithSecret } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { readOptionalEvents, readOptionalUrl } from './read-webhook-body.ts';

/** What the operations on webhooks need. */
export type WebhookDeps = EndpointDeps &
  Readonly<{
    toLoopback: WebhookUrlRules['toLoopback'];
  }>;

export function createWebhookOperation(deps: WebhookDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Create a webhook',
    description:
      'Every event of the book, or those of the types you list, is then sent to the URL as a POST, ' +
      'signed by the rules of Standard Webhooks with the `secret`, which is shown only here. A book ' +
      'has at most 10.',
    schema: { body: WebhookBody, data: { 201: WebhookWithSecret } },
    async handle({ caller: { book, actor }, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(WebhookBody.properties));
      const { mode } = book;
      const url = readOptionalUrl({ read, body }, { mode, toLoopback: deps.toLoopback });
      if (url === null) read.problem('url', 'REQUIRED');
      const values = read.checked({
        url: url ?? undefined,
        events: readOptionalEvents({ read, body }),
      });
      const { endpoint, secret } = await createEndpoint(deps, {
        actor,
        book,
        url: values.url,
        events: values.events ?? [],
      });
      return {
        status: 201,
        message: 'Webhook created',
        data: { ...renderEndpoint(endpoint), secret },
        headers: { location: `/api/v1/payments/webhooks/${endpoint.id}` },
      };
    },
  };
}
