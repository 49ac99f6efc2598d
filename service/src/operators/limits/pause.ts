/** For an operator that takes nothing now and does not say until when. */
const UNTOLD_MS = 1_000;
/** What an operator says may be wrong: after a minute at the latest it is tried again. */
const MAX_MS = 60_000;
/**
 * A shorter pause is waited for on the same route: operators ask for one or two seconds to slow us down, and
 * another route may cost more. What is queued behind a longer one goes by another route, where there is one.
 */
const LONG_MS = 5_000;

/** The time for which an operator asked not to be called. What it says is real time, whatever the time scale. */
export type Pause = Readonly<{
  /** Null: the operator does not say for how long. A longer pause that was asked for before holds. */
  begin(retryInMs: number | null): void;
  /** 0: it may be called. */
  leftMs(): number;
  /** So much is left that queued transfers had better not wait for it. */
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
