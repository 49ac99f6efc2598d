import { type BackgroundLoop, createBackgroundLoop } from '../../background/background-loop.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { CALLBACKS_CLEANED_AT_ONCE_MAX, cleanCallbacks } from './clean-callbacks.ts';

/** How often old callbacks are searched for; a search that finds none costs one probe of an index. */
const CLEAN_INTERVAL_MS = 60_000;
/** Between two batches, so that payouts never wait for a backlog of deletions. */
const BATCH_PAUSE_MS = 200;

/** Deletes old callbacks in the background. */
export function createCallbackCleaner({
  database,
  logger,
  now,
}: Readonly<{
  database: Queryable;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
}>): BackgroundLoop {
  return createBackgroundLoop({
    async round() {
      const isFull = (await cleanCallbacks(database, now())) === CALLBACKS_CLEANED_AT_ONCE_MAX;
      return isFull ? BATCH_PAUSE_MS : CLEAN_INTERVAL_MS;
    },
    what: 'deleting old callbacks',
    logger,
    retryInMs: CLEAN_INTERVAL_MS,
  });
}
