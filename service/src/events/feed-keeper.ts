import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Database } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { hasPendingEvents, placeEvents } from './place-events.ts';

/** The longest time before an event is placed and its webhooks are queued. */
const PLACE_INTERVAL_MS = 100;
/** The same while no endpoint waits for events. Readers of the feed have events placed when they read. */
const NO_ENDPOINT_INTERVAL_MS = 1_000;
/** After a failure, so that an unavailable database does not fill the log. */
const RETRY_INTERVAL_MS = 1_000;

export type FeedKeeper = BackgroundLoop &
  Readonly<{
    /** Resolves when everything that was committed before the call has its place in the feed. */
    catchUp(): Promise<void>;
  }>;

/** Keeps the feed up to date. Any number of processes may do so: they take turns. */
export function createFeedKeeper(
  deps: Readonly<{
    database: Database;
    /** Called when there are new deliveries. */
    onDeliveries: () => void;
    logger: Pick<Logger, 'warn'>;
  }>,
): FeedKeeper {
  let underWay: Promise<void> = Promise.resolve();
  /** Starts when the current pass has ended, and serves all callers that came meanwhile. */
  let next: Promise<void> | undefined;
  let hasEndpoints = true;

  async function pass(): Promise<void> {
    if (!(await hasPendingEvents(deps.database))) return;
    const placed = await deps.database.transaction(placeEvents);
    hasEndpoints = placed.hasEndpoints;
    if (placed.deliveries > 0) deps.onDeliveries();
  }

  function catchUp(): Promise<void> {
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        underWay = pass();
        return underWay;
      });
    return next;
  }

  const loop = createBackgroundLoop({
    async round() {
      await catchUp();
      return hasEndpoints ? PLACE_INTERVAL_MS : NO_ENDPOINT_INTERVAL_MS;
    },
    what: 'placing events in the feed',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
  return { ...loop, catchUp };
}
