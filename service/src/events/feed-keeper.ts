import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Database } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { hasPendingEvents, placeEvents } from './place-events.ts';

/** The least time between two passes, so that each places many events however often something is committed. */
const PLACE_GAP_MS = 100;
/** After a failure, so that an unavailable database does not fill the log. */
const RETRY_INTERVAL_MS = 1_000;

export type FeedKeeper = BackgroundLoop &
  Readonly<{
    /** Resolves when everything that was committed before the call has its place in the feed. */
    catchUp(): Promise<void>;
    /**
     * Call it after a commit that may have written events. While no endpoint waits for events it does nothing: readers
     * of the feed have events placed when they read, and the rest is placed at leisure.
     */
    onCommitted(): void;
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
      return UNTIL_WOKEN_MS;
    },
    what: 'placing events in the feed',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
    gapMs: PLACE_GAP_MS,
  });
  return {
    ...loop,
    catchUp,
    onCommitted() {
      if (hasEndpoints) loop.wake();
    },
  };
}
