import type { Life } from './schedule-context.ts';

/**
 * The scanner waits by `setTimeout`. While a schedule runs, this function replaces it, and every call belongs to
 * the simulated process that is running. Between the steps of a schedule there are only microtasks and next
 * ticks, so no code outside the simulation runs and sees the replacement.
 *
 * Errors get no stacks, because making them would take a third of a schedule's time. The returned function
 * restores everything.
 */
export function replaceGlobals(whoRuns: () => Life | undefined): () => void {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const { stackTraceLimit } = Error;
  const scheduleInSimulation = (run: () => void, delayMs = 0): unknown => {
    const life = whoRuns();
    if (life === undefined) throw new Error('a timer that belongs to no process');
    life.onTimer(run, delayMs);
    return undefined;
  };
  globalThis.setTimeout = scheduleInSimulation as typeof setTimeout;
  globalThis.clearTimeout = () => undefined;
  Error.stackTraceLimit = 0;
  return () => {
    globalThis.setTimeout = realSetTimeout;
    globalThis.clearTimeout = realClearTimeout;
    Error.stackTraceLimit = stackTraceLimit;
  };
}
