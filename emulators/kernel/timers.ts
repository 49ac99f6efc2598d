/** Runs something later; the answer calls it off. */
export type SetTimer = (run: () => void, delayMs: number) => () => void;

export type Timers = Readonly<{ setTimer: SetTimer; callOffAll(): void }>;

/** What `setTimeout` can count, 24 days; it takes longer delays for none. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

export function createTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  return {
    setTimer(run, delayMs) {
      // What waits longer than that never happens.
      if (delayMs > TIMER_MS_MAX) return () => undefined;
      const timeout = setTimeout(() => {
        running.delete(timeout);
        run();
      }, delayMs);
      running.add(timeout);
      return () => {
        running.delete(timeout);
        clearTimeout(timeout);
      };
    },
    callOffAll() {
      for (const timeout of running) clearTimeout(timeout);
      running.clear();
    },
  };
}
