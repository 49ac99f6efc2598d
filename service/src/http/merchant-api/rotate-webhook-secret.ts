import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { renderEndpoint } from '../../views/render-endpoint.ts';
import { rotateSecret } from '../../webhooks/rotate-secret.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { WebhookWithNewSecret } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { WebhookDeps } from './create-webhook.ts';

export function rotateWebhookSecretOperation(deps: WebhookDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: "Change a webhook's secret",
    description:
      'Creates a new `secret`, shown only here. For 24 hours deliveries carry two signatures, by the ' +
      'new secret and by the previous one, so that you can change your receiver without a gap. Then ' +
      'take the old one out. If a secret leaked, give your receiver only the new one at once: it must ' +
      'no longer accept the leaked one.',
    schema: {
      params: idParameter('webhook'),
      data: { 200: WebhookWithNewSecret },
    },
    async handle({ caller: { book, actor }, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      const rotated = await rotateSecret(deps, {
        actor,
        merchantId: book.merchantId,
        bookId: book.id,
        id,
      });
      return {
        status: 200,
        message: 'Secret rotated',
        data: {
          ...renderEndpoint(rotated.endpoint),
          secret: rotated.secret,
          previousSecretUntil: rotated.previousSecretUntil.toISOString(),
        },
      };
    },
  };
}
