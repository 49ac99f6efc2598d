import { actorCode } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { sendTestEvent, type TestEventDeps } from '../../webhooks/send-test-event.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeliveryObject } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { renderDelivery } from './render-delivery.ts';

export function testWebhookOperation(deps: TestEventDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/webhooks/:id/test',
    operationId: 'testWebhook',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Send a test event',
    description:
      'Sends a `webhook.test` event with a made-up transfer to this webhook alone, past its filter of types, ' +
      'signed and retried as any other. The deliveries show the result.',
    schema: {
      params: idParameter('webhook'),
      data: { 200: DeliveryObject },
    },
    async handle({ caller, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      const request = { bookId: caller.book.id, id, actor: actorCode(caller.actor) };
      const delivery = await sendTestEvent(deps, request);
      return { status: 200, message: 'Test event queued', data: renderDelivery(delivery) };
    },
  };
}
