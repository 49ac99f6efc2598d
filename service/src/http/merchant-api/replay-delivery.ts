import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import {
  type ReplayDeps,
  type ReplayRange,
  replayDeliveries,
  replayDelivery,
} from '../../webhooks/replay-deliveries.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeliveryObject, ReplayBody, ReplayResult } from '../schemas/webhook-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { readOptionalTime } from './read-webhook-body.ts';
import { renderDelivery } from './render-delivery.ts';

export function replayDeliveryOperation(deps: ReplayDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/webhooks/deliveries/:id/replay',
    operationId: 'replayDelivery',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Replay a delivery',
    description:
      'Sends the event once more now, with the same id and bytes, and retries it by a new schedule.',
    schema: { params: idParameter('delivery'), data: { 200: DeliveryObject } },
    async handle({ caller: { book, actor }, params }) {
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('DELIVERY_NOT_FOUND');
      const delivery = await replayDelivery(deps, {
        actor,
        merchantId: book.merchantId,
        bookId: book.id,
        id,
      });
      return { status: 200, message: 'Delivery replayed', data: renderDelivery(delivery) };
    },
  };
}

export function replayDeliveriesOperation(deps: ReplayDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/webhooks/:id/replay',
    operationId: 'replayDeliveries',
    tag: 'Webhooks',
    scope: 'transfers:write',
    permission: 'webhooks:write',
    summary: 'Replay many deliveries',
    description:
      'Sends once more what was created in a range of time, or all that failed, or both: oldest ' +
      'first, at most 10,000 in one call. What still waits for an attempt is left as it is.',
    schema: { params: idParameter('webhook'), body: ReplayBody, data: { 200: ReplayResult } },
    async handle({ caller: { book, actor }, params, body = new Map() }) {
      const range = readRange(body);
      const id = parseUuid(params.id ?? '');
      if (id === undefined) throw refuse('WEBHOOK_NOT_FOUND');
      const result = await replayDeliveries(deps, {
        actor,
        merchantId: book.merchantId,
        bookId: book.id,
        id,
        range,
      });
      return {
        status: 200,
        message: 'Deliveries replayed',
        data: { replayed: result.replayed, nextFrom: result.nextFrom?.toISOString() ?? null },
      };
    },
  };
}

function readRange(body: JsonObject): ReplayRange {
  const read = createFieldReader(body, Object.keys(ReplayBody.properties));
  const state = body.get('state') ?? null;
  if (state !== null && state !== 'failed') read.problem('state', 'INVALID_STATE', 'Only failed.');
  const range = {
    from: readOptionalTime({ read, body }, 'from'),
    to: readOptionalTime({ read, body }, 'to'),
    state: state === 'failed' ? ('failed' as const) : null,
  };
  // A request without a range must not replay everything that was ever sent.
  if (Object.values(range).every((value) => value === null)) {
    read.problem('from', 'REQUIRED', 'Give from, to or state.');
  }
  return read.checked(range);
}
