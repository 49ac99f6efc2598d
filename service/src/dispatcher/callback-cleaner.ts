import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import {
  CALLBACKS_CLEANED_AT_ONCE_MAX,
  cleanCallbacks,
} from '../transfers/callbacks/clean-callbacks.ts';

/** How often old callbacks are searched for; a search that finds none costs one probe of an index. */
const CLEAN_INTERVAL_MS = 60_000;
/** Between two batches, so that payouts never wait for a backlog of deletions. */
const BATCH_PAUSE_MS = 200;

export type CallbackCleaner = Readonly<{
  /** Starting a running or a stopped one does nothing. */
  start(): void;
  /** Waits for the batch under way. May be called before `start`, and more than once. */
  stop(): Promise<void>;
}>;

/** Deletes old callbacks in the background. */
export function createCallbackCleaner(
  deps: Readonly<{ database: Queryable; logger: Pick<Logger, 'warn'>; now: () => Date }>,
): CallbackCleaner {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  /** Whether to continue soon, because the batch was full. */
  async function cleanBatch(): Promise<boolean> {
    try {
      return (await cleanCallbacks(deps.database, deps.now())) === CALLBACKS_CLEANED_AT_ONCE_MAX;
    } catch (error) {
      deps.logger.warn({ err: error }, 'deleting old callbacks failed, trying again');
      return false;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = (await cleanBatch()) ? BATCH_PAUSE_MS : CLEAN_INTERVAL_MS;
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    start() {
      if (!signal.aborted) running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
