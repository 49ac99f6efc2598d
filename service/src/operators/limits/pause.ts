/** For an operator that throttles us without saying until when. */
const UNTOLD_MS = 1_000;
/** An operator's time may be wrong, so after a minute at the latest it is tried again. */
const MAX_MS = 60_000;
/**
 * A shorter pause is waited out on the same route: operators ask for one or two seconds to slow us down, and another
 * route may cost more. Transfers queued behind a longer pause take another route if there is one.
 */
const LONG_MS = 5_000;

/** The time for which an operator asked not to be called. It is real time: the time scale does not shorten it. */
export type Pause = Readonly<{
  /** Null: the operator does not say how long. A longer pause from before stays. */
  begin(retryInMs: number | null): void;
  /** 0: the operator may be called. */
  leftMs(): number;
  /** The rest is so long that queued transfers should not wait for it. */
  isLong(): boolean;
}>;

export function createPause(
  deps: Readonly<{ monotonicMs: () => number; timeScale: number }>,
): Pause {
  let untilMs = Number.NEGATIVE_INFINITY;
  const leftMs = (): number => Math.max(0, untilMs - deps.monotonicMs());
  return {
    begin(retryInMs) {
      const askedMs = Math.min(retryInMs ?? UNTOLD_MS * deps.timeScale, MAX_MS);
      untilMs = Math.max(untilMs, deps.monotonicMs() + askedMs);
    },
    leftMs,
    isLong: () => leftMs() > LONG_MS * deps.timeScale,
  };
}

export const NO_PAUSE: Pause = { begin: () => undefined, leftMs: () => 0, isLong: () => false };
