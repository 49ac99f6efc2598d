import { randomBytes } from 'node:crypto';
import type { Book } from '../src/domain/book.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import {
  createWebhookOperation,
  type WebhookDeps,
} from '../src/http/merchant-api/create-webhook.ts';
import { deleteWebhookOperation } from '../src/http/merchant-api/delete-webhook.ts';
import { getWebhookOperation } from '../src/http/merchant-api/get-webhook.ts';
import { listDeliveriesOperation } from '../src/http/merchant-api/list-deliveries.ts';
import { listWebhooksOperation } from '../src/http/merchant-api/list-webhooks.ts';
import {
  replayDeliveriesOperation,
  replayDeliveryOperation,
} from '../src/http/merchant-api/replay-delivery.ts';
import { rotateWebhookSecretOperation } from '../src/http/merchant-api/rotate-webhook-secret.ts';
import { testWebhookOperation } from '../src/http/merchant-api/test-webhook.ts';
import { updateWebhookOperation } from '../src/http/merchant-api/update-webhook.ts';
import type { ApiOperation } from '../src/http/server/api-operation.ts';
import type { Database } from '../src/postgres/database.ts';
import { callOperation } from './api-request.ts';
import { createTestSealer } from './stored-delivery.ts';
import { createTestFeed } from './test-feed.ts';

export const NOW = new Date('2026-11-15T08:00:00.000Z');

export type Webhook = Readonly<{
  id: string;
  url: string;
  events: string[];
  status: string;
  disabledReason: string | null;
  createdAt: string;
}>;

export type Delivery = Readonly<{
  id: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  state: string;
  attempts: Record<string, unknown>[];
  nextAttemptAt: string | null;
  createdAt: string;
}>;

/** Every operation on webhooks, called as the server would call it. */
export function webhookRoutes(database: Database, options: Partial<WebhookDeps> = {}) {
  const deps: WebhookDeps = {
    database,
    sealer: createTestSealer(),
    now: () => NOW,
    newId: createUuidV7Source(Date.now, (bytes) => crypto.getRandomValues(bytes)),
    randomBytes,
    toLoopback: [],
    ...options,
  };
  const routes = {
    create: createWebhookOperation(deps),
    list: listWebhooksOperation(deps),
    get: getWebhookOperation(deps),
    update: updateWebhookOperation(deps),
    delete: deleteWebhookOperation(deps),
    rotate: rotateWebhookSecretOperation(deps),
    test: testWebhookOperation(deps),
    deliveries: listDeliveriesOperation({ database, feed: createTestFeed(database) }),
    replay: replayDeliveryOperation(deps),
    replayMany: replayDeliveriesOperation(deps),
  } satisfies Record<string, ApiOperation>;
  const call = async <T>(
    route: keyof typeof routes,
    parts: Readonly<{ book: Book; id?: string; body?: Record<string, unknown>; query?: string }>,
  ): Promise<T> => {
    const { id, ...others } = parts;
    const params = id === undefined ? {} : { id };
    return (await callOperation(routes[route], { ...others, params })).data as T;
  };
  return { routes, call, deps };
}
