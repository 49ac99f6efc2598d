import type { Delivery } from '../../webhooks/delivery.ts';

/** A delivery as merchants see it. */
export function renderDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    endpointId: delivery.endpointId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    state: delivery.state,
    attempts: delivery.attempts.map(({ at, elapsedMs, status, error, answer }) => ({
      at: at.toISOString(),
      elapsedMs,
      status,
      error,
      answer,
    })),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
  };
}
