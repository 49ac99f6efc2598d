import type { Logger } from '../telemetry/logger.ts';
import { createInterruptibleSleep } from './interruptible-sleep.ts';

/** Work that the service repeats in the background. All loops start and stop alike. */
export type BackgroundLoop = Readonly<{
  /** Starting a running or a stopped one does nothing. */
  start(): void;
  /** Begins the next round at once, or after the round under way. */
  wake(): void;
  /** Waits for the round under way. May be called before `start`, and more than once. */
  stop(): Promise<void>;
}>;

/**
 * The wait of a loop that is woken when there is something to do: due-work/due-work-finder.ts asks for all of them.
 * Only work that would otherwise be forgotten is found by this wait.
 */
export const UNTIL_WOKEN_MS = 30_000;

type LoopRule = Readonly<{
  /** One round. Resolves with the milliseconds until the next; 0: there may be more to do now. */
  round: (signal: AbortSignal) => Promise<number>;
  /** For the log, if a round fails: "reading callbacks". */
  what: string;
  logger: Pick<Logger, 'warn'>;
  /** The wait after a failed round, so that an unavailable database does not fill the log. */
  retryInMs: number;
  /** The wait before the first round. Default: none. */
  firstInMs?: number;
  /** The least time between two rounds, so that each does more, however often the loop is woken. */
  gapMs?: number;
}>;

export function createBackgroundLoop(rule: LoopRule): BackgroundLoop {
  const { round, what, logger, retryInMs, firstInMs = 0, gapMs = 0 } = rule;
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleep = createInterruptibleSleep();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    if (firstInMs > 0) await sleep.sleepUntilWoken(firstInMs);
    while (!signal.aborted) {
      const waitMs = await round(signal).catch((error: unknown) => {
        logger.warn({ err: error }, `${what} failed, trying again`);
        return retryInMs;
      });
      if (gapMs > 0) await sleep.sleepAtLeast(gapMs);
      if (waitMs > gapMs) await sleep.sleepUntilWoken(waitMs - gapMs);
    }
  }

  return {
    start() {
      if (!signal.aborted) running ??= run();
    },
    wake: sleep.wake,
    async stop() {
      stopping.abort();
      sleep.close();
      await running;
    },
  };
}
