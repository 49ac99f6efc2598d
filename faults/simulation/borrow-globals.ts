import type { Life } from './scene.ts';

/**
 * The scanner waits by `setTimeout`. While a schedule runs, that is ours: whoever calls it is the
 * process whose work is being done. Between the steps of a schedule there are only microtasks and
 * next ticks, so nothing outside the simulation runs meanwhile and could meet what is borrowed.
 *
 * Errors get no stacks: those that are part of a schedule would be a third of its time. The function
 * that is returned gives everything back.
 */
export function borrowGlobals(whoRuns: () => Life | undefined): () => void {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis;
  const { stackTraceLimit } = Error;
  const borrowed = (run: () => void, delayMs = 0): unknown => {
    const life = whoRuns();
    if (life === undefined) throw new Error('a timer that belongs to no process');
    life.onTimer(run, delayMs);
    return undefined;
  };
  globalThis.setTimeout = borrowed as typeof setTimeout;
  globalThis.clearTimeout = () => undefined;
  Error.stackTraceLimit = 0;
  return () => {
    globalThis.setTimeout = realSetTimeout;
    globalThis.clearTimeout = realClearTimeout;
    Error.stackTraceLimit = stackTraceLimit;
  };
}
