import { type BackgroundLoop, UNTIL_WOKEN_MS } from '../background/background-loop.ts';
import { createScreeningSender } from '../screening-sender/screening-sender.ts';
import { createWebhookSender, type WebhookSender } from '../webhook-sender/webhook-sender.ts';
import { createSafePoster, type SafePoster } from '../webhooks/safe-post/post-safely.ts';
import { createHostResolver, isOwnAddress } from '../webhooks/safe-post/resolve-host.ts';
import type { CellRuntime } from './cell-runtime.ts';
import type { CommitQueues } from './commit-queues.ts';

/** POSTs to webhook endpoints that take longer are aborted, and sent again by the next process. */
const DELIVERY_DRAIN_MS = 2_000;

export function composeSender(runtime: CellRuntime, { attempts }: CommitQueues): WebhookSender {
  const { writes, leaseOwner, now, monotonicMs, metrics, logger, config, sealer } = runtime;
  return createWebhookSender({
    database: writes,
    attempts,
    poster: composePoster(runtime),
    sealer,
    toLoopback: config.webhooksToLoopback,
    timeScale: config.webhookTimeScale,
    random: Math.random,
    now,
    monotonicMs,
    leaseOwner,
    drainMs: DELIVERY_DRAIN_MS,
    intervalMs: UNTIL_WOKEN_MS,
    observe: {
      attempted: ({ result, elapsedMs }) => metrics.countDeliveryAttempt(result, elapsedMs),
      firstAttempted: ({ delayMs }) => metrics.observeDeliveryDelay(delayMs),
    },
    logger,
  });
}

export function composeScreening(runtime: CellRuntime): BackgroundLoop {
  const { directory, writes, leaseOwner, routes, now, monotonicMs, logger, config } = runtime;
  const { metrics, sealer } = runtime;
  return createScreeningSender({
    database: writes,
    directory,
    routes,
    poster: composePoster(runtime),
    sealer,
    toLoopback: config.webhooksToLoopback,
    now,
    monotonicMs,
    leaseOwner,
    observe: ({ result, elapsedMs }) => metrics.countScreening(result, elapsedMs),
    logger,
  });
}

/** Merchants choose the addresses, so none of this machine or its network may be called. */
function composePoster({ now, monotonicMs }: CellRuntime): SafePoster {
  return createSafePoster({
    resolve: createHostResolver(),
    isOwn: isOwnAddress,
    now,
    monotonicMs,
  });
}
