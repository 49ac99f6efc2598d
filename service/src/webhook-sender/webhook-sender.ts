import { setTimeout as wait } from 'node:timers/promises';
import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Database } from '../postgres/database.ts';
import { FIRST_ENDPOINT, releaseDeliveries } from '../webhooks/claim-deliveries.ts';
import { POST_TIMEOUT_MS, type SafePoster } from '../webhooks/safe-post/post-safely.ts';
import { type DeliverDeps, deliver, type PreparedDelivery } from './deliver.ts';
import { ENDPOINT_LIMITS, EndpointQueues } from './endpoint-queues.ts';
import { createGiveUp } from './give-up.ts';
import { prepareDeliveries } from './prepare-deliveries.ts';

/** How often due deliveries are searched for by a sender that nothing else wakes. */
const CLAIM_INTERVAL_MS = 200;
/** Time between two claims, so that each takes several deliveries however often the sender is woken. */
const CLAIM_GAP_MS = 10;
/** The most that one claim takes; small, so that it is fast and other processes get their turn. */
const CLAIM_MAX = 500;
/** An endpoint that has accepted nothing for this long gets few connections until it accepts something. */
const FAILING_FOR_MS = 60_000;
const FAILING_WIDTH_MAX = 2;

export type WebhookSenderDeps = Omit<DeliverDeps, 'poster'> &
  Readonly<{
    database: Database;
    poster: SafePoster;
    leaseOwner: string;
    /** How long `stop` waits for POSTs under way; the rest is sent again by the next process. */
    drainMs?: number;
    /** The wait between two searches, unless it is woken. */
    intervalMs?: number;
  }>;

/** Woken, it searches for due deliveries at once. `stop` waits for the POSTs under way too. */
export type WebhookSender = BackgroundLoop & Readonly<{ underWay(): number }>;

/** Delivers events to the endpoints that subscribe to them, fairly between endpoints. */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const { intervalMs = CLAIM_INTERVAL_MS } = deps;
  const loop = createBackgroundLoop({
    round: async () => ((await claim()) ? 0 : intervalMs),
    what: 'claiming deliveries',
    logger: deps.logger,
    retryInMs: CLAIM_INTERVAL_MS,
    gapMs: CLAIM_GAP_MS,
  });
  const giveUp = createGiveUp(deps);
  const queues = new EndpointQueues<PreparedDelivery>(ENDPOINT_LIMITS, {
    run,
    onRoom: loop.wake,
    monotonicMs: deps.monotonicMs,
  });
  const recorder = createRecorder(deps.attempts);
  const aborted: PreparedDelivery[] = [];
  let stopped: Promise<void> | undefined;
  let afterEndpoint = FIRST_ENDPOINT;

  async function run(prepared: PreparedDelivery, leave: () => void): Promise<void> {
    const recorded = await deliver({ ...deps, attempts: recorder }, prepared, leave);
    if (recorded === undefined && recorder.isShut()) aborted.push(prepared);
    if (recorded?.endpointDisabled !== true) return;
    const held = queues.takeBack(prepared.delivery.endpointId);
    giveUp.begin([prepared, ...held].map(({ delivery }) => delivery));
  }

  /** True when there may be more right away. */
  async function claim(): Promise<boolean> {
    const room = queues.room();
    if (room.max === 0) return false;
    const began = afterEndpoint;
    const max = Math.min(room.max, CLAIM_MAX);
    const { leaseOwner } = deps;
    const taken = await prepareDeliveries(deps, { ...room, max, afterEndpoint, leaseOwner });
    afterEndpoint = taken.nextEndpoint;
    for (const held of taken.nowhere) giveUp.begin(held);
    for (const prepared of taken.prepared) {
      queues.add(prepared.delivery.endpointId, prepared, { widthMax: widthFor(prepared) });
    }
    return began !== FIRST_ENDPOINT || afterEndpoint !== FIRST_ENDPOINT;
  }

  async function stop(): Promise<void> {
    await Promise.all([loop.stop(), giveUp.stop()]);
    await release(deps, queues.takeBack());
    await waitAtMost(queues.idle(), deps.drainMs ?? POST_TIMEOUT_MS);
    recorder.shut();
    deps.poster.close();
    await queues.idle();
    await release(deps, aborted);
  }

  return {
    start: loop.start,
    wake: loop.wake,
    stop() {
      stopped ??= stop();
      return stopped;
    },
    underWay: () => queues.underWay(),
  };
}

function widthFor({ delivery }: PreparedDelivery): number {
  return (delivery.endpoint?.failingForMs ?? 0) >= FAILING_FOR_MS
    ? FAILING_WIDTH_MAX
    : ENDPOINT_LIMITS.underWayPerEndpointMax;
}

/** A POST that we aborted ourselves says nothing about the receiver, so it is not recorded. */
function createRecorder(attempts: DeliverDeps['attempts']) {
  let shut = false;
  return {
    submit: (attempt: Parameters<typeof attempts.submit>[0]) =>
      shut
        ? Promise.reject(new Error('the service stopped during the POST'))
        : attempts.submit(attempt),
    shut() {
      shut = true;
    },
    isShut: () => shut,
  };
}

async function release(
  { database, leaseOwner, logger }: WebhookSenderDeps,
  prepared: readonly PreparedDelivery[],
): Promise<void> {
  if (prepared.length === 0) return;
  const deliveries = prepared.map(({ delivery }) => delivery);
  await releaseDeliveries(database, { leaseOwner, deliveries }).catch((error: unknown) =>
    logger.warn(
      { count: deliveries.length, err: error },
      'releasing deliveries failed, retried when their leases end',
    ),
  );
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  const enough = new AbortController();
  const timer = wait(ms, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([work, timer]);
  enough.abort();
}
