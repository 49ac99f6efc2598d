/** Runs a function later; the returned function cancels it. */
export type SetTimer = (run: () => void, delayMs: number) => () => void;

export type Timers = Readonly<{ setTimer: SetTimer; cancelAll(): void }>;

/** The maximum of `setTimeout`, 24 days; it treats longer delays as no delay. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

export function createTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  return {
    setTimer(run, delayMs) {
      // A timer above the maximum never fires.
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
    cancelAll() {
      for (const timeout of running) clearTimeout(timeout);
      running.clear();
    },
  };
}
