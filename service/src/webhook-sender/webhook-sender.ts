import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../postgres/database.ts';
import { FIRST_ENDPOINT, releaseDeliveries } from '../webhooks/claim-deliveries.ts';
import { type DeliverDeps, deliver, type Errand } from './deliver.ts';
import { EndpointLanes, LANE_LIMITS } from './endpoint-lanes.ts';
import { createGiveUp } from './give-up.ts';
import { POST_TIMEOUT_MS, type SafePoster } from './post-safely.ts';
import { takeErrands } from './take-errands.ts';
import { createWakeUp } from './wake-up.ts';

/** How often due deliveries are looked for when nothing hints at any. */
const CLAIM_INTERVAL_MS = 200;
/** Between two claims, so that they are of some size however often they are hinted at. */
const CLAIM_GAP_MS = 10;
/** One bite of a claim; small, so that it is quick and other processes get their turn. */
const CLAIM_MAX = 500;
/** An endpoint that has taken nothing for so long gets few connections, until it takes something. */
const FAILING_FOR_MS = 60_000;
const FAILING_WIDTH_MAX = 2;

export type WebhookSenderDeps = Omit<DeliverDeps, 'poster'> &
  Readonly<{
    database: Database;
    poster: SafePoster;
    leaseOwner: string;
    /** How long `stop` waits for POSTs under way; the rest is sent again by whoever comes next. */
    drainMs?: number;
  }>;

export type WebhookSender = Readonly<{
  /** Starting a running or a stopped one does nothing. */
  start(): void;
  /** Looks for due deliveries at once. */
  wake(): void;
  /** Waits for the POSTs under way. May be called before `start`, and more than once. */
  stop(): Promise<void>;
  underWay(): number;
}>;

/** Delivers events to the endpoints that want to hear of them, fairly between endpoints. */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const wakeUp = createWakeUp();
  const giveUp = createGiveUp(deps);
  const lanes = new EndpointLanes<Errand>(LANE_LIMITS, {
    run,
    onRoom: wakeUp.wake,
    monotonicMs: deps.monotonicMs,
  });
  const door = createDoor(deps.attempts);
  const stopping = new AbortController();
  const brokenOff: Errand[] = [];
  let running: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let afterEndpoint = FIRST_ENDPOINT;

  async function run(errand: Errand, leave: () => void): Promise<void> {
    const recorded = await deliver({ ...deps, attempts: door }, errand, leave);
    if (recorded === undefined && door.isShut()) brokenOff.push(errand);
    if (recorded?.endpointDisabled !== true) return;
    const held = lanes.takeBack(errand.delivery.endpointId);
    giveUp.begin([errand, ...held].map(({ delivery }) => delivery));
  }

  /** True when there may be more at once. */
  async function claim(): Promise<boolean> {
    const room = lanes.room();
    if (room.max === 0) return false;
    const began = afterEndpoint;
    const max = Math.min(room.max, CLAIM_MAX);
    const { leaseOwner } = deps;
    const taken = await takeErrands(deps, { ...room, max, afterEndpoint, leaseOwner });
    afterEndpoint = taken.nextEndpoint;
    for (const held of taken.nowhere) giveUp.begin(held);
    for (const errand of taken.errands) {
      lanes.add(errand.delivery.endpointId, errand, { widthMax: widthFor(errand) });
    }
    return began !== FIRST_ENDPOINT || afterEndpoint !== FIRST_ENDPOINT;
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const mayHaveMore = await claim().catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'claiming deliveries failed, trying again');
        return false;
      });
      await wakeUp.sleepAtLeast(CLAIM_GAP_MS);
      if (!mayHaveMore) await wakeUp.sleepUntilWoken(CLAIM_INTERVAL_MS);
    }
  }

  async function stop(): Promise<void> {
    stopping.abort();
    wakeUp.close();
    await Promise.all([running, giveUp.stop()]);
    await release(deps, lanes.takeBack());
    await waitAtMost(lanes.idle(), deps.drainMs ?? POST_TIMEOUT_MS);
    door.shut();
    deps.poster.close();
    await lanes.idle();
    await release(deps, brokenOff);
  }

  return {
    start() {
      if (!stopping.signal.aborted) running ??= loop();
    },
    wake: wakeUp.wake,
    stop() {
      stopped ??= stop();
      return stopped;
    },
    underWay: () => lanes.underWay(),
  };
}

function widthFor({ delivery }: Errand): number {
  return (delivery.endpoint?.failingForMs ?? 0) >= FAILING_FOR_MS
    ? FAILING_WIDTH_MAX
    : LANE_LIMITS.underWayPerEndpointMax;
}

/** A POST that we broke off ourselves says nothing about the receiver, so it is not recorded. */
function createDoor(attempts: DeliverDeps['attempts']) {
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
  errands: readonly Errand[],
): Promise<void> {
  if (errands.length === 0) return;
  const deliveries = errands.map(({ delivery }) => delivery);
  await releaseDeliveries(database, { leaseOwner, deliveries }).catch((error: unknown) =>
    logger.warn({ count: deliveries.length, err: error }, 'deliveries left to their leases'),
  );
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  const enough = new AbortController();
  const timer = wait(ms, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([work, timer]);
  enough.abort();
}
