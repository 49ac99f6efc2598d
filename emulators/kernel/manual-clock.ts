import type { SetTimer } from './timers.ts';

export type ManualClock = Readonly<{
  now: () => number;
  setTimer: SetTimer;
  /** Advances the clock and runs due timers in order, with one turn of the event loop after each. */
  pass(ms: number): Promise<void>;
}>;

/** For tests: a clock that stands still until `pass` is called. */
export function createManualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  const waiting = new Map<symbol, Readonly<{ dueMs: number; run: () => void }>>();
  const earliest = (untilMs: number) =>
    [...waiting]
      .filter(([, { dueMs }]) => dueMs <= untilMs)
      .sort(([, a], [, b]) => a.dueMs - b.dueMs)[0];
  return {
    now: () => nowMs,
    setTimer(run, delayMs) {
      const key = Symbol('timer');
      waiting.set(key, { dueMs: nowMs + delayMs, run });
      return () => waiting.delete(key);
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      for (let next = earliest(untilMs); next !== undefined; next = earliest(untilMs)) {
        const [key, { dueMs, run }] = next;
        waiting.delete(key);
        nowMs = Math.max(nowMs, dueMs);
        run();
        await new Promise(setImmediate);
      }
      nowMs = untilMs;
    },
  };
}
