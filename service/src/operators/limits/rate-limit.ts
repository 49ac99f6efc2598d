/**
 * Operators count what arrives, and requests that leave evenly can arrive bunched: TCP resends a lost packet after 200
 * ms at the earliest, and its content then arrives together with the packets that follow. So the limit of one second is
 * kept in every 1.2 s, and a delay of up to 200 ms does no harm.
 */
const WINDOW_MS = 1_200;

/** At most this many per second in any second, spaced evenly instead of all at once. */
export type RateLimit = Readonly<{
  /** How many more may be taken now. */
  free(): number;
  /** Counts one that will begin. If more are taken than are free, it and the next ones wait longer. */
  take(): void;
  /** Resolves when the next one that was taken may begin, and counts it as begun. */
  turn(): Promise<void>;
}>;

export function createRateLimit(
  options: Readonly<{
    perSecond: () => number;
    /** How far ahead turns are given out. */
    aheadMs: number;
    monotonicMs: () => number;
    wait: (ms: number) => Promise<void>;
  }>,
): RateLimit {
  const { perSecond, aheadMs, monotonicMs, wait } = options;
  const gapMs = (): number => WINDOW_MS / perSecond();
  let nextTakeAtMs = Number.NEGATIVE_INFINITY;
  let nextTurnAtMs = Number.NEGATIVE_INFINITY;
  /** When the last ones began, oldest first. */
  const begun: number[] = [];

  /**
   * A process that was suspended wakes up with many turns due at once, so the limit is checked against actual starts.
   */
  function overfullForMs(): number {
    const countMax = Math.max(1, Math.floor(perSecond()));
    while (begun.length > countMax) begun.shift();
    const [oldest = Number.NEGATIVE_INFINITY] = begun;
    return begun.length < countMax ? 0 : oldest + countMax * gapMs() - monotonicMs();
  }

  return {
    free() {
      const nowMs = monotonicMs();
      const leftMs = nowMs + aheadMs - Math.max(nowMs, nextTakeAtMs);
      return leftMs < 0 ? 0 : Math.floor(leftMs / gapMs()) + 1;
    },
    take() {
      nextTakeAtMs = Math.max(monotonicMs(), nextTakeAtMs) + gapMs();
    },
    async turn() {
      const turnAtMs = Math.max(monotonicMs(), nextTurnAtMs);
      nextTurnAtMs = turnAtMs + gapMs();
      let waitMs = Math.max(turnAtMs - monotonicMs(), overfullForMs());
      while (waitMs > 0) {
        await wait(Math.ceil(waitMs));
        waitMs = overfullForMs();
      }
      begun.push(monotonicMs());
    },
  };
}

/** For operators without a limit. */
export const UNLIMITED: RateLimit = {
  free: () => Number.MAX_SAFE_INTEGER,
  take: () => undefined,
  turn: () => Promise.resolve(),
};
