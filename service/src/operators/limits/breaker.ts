/** So many submissions in a row without an answer mean that the operator has a problem. */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 2_000;
const OPEN_MAX_MS = 60_000;
/** The pause differs by up to this part, so that many processes do not come back at one moment. */
const JITTER = 0.25;

/**
 * Keeps transfers from an operator that does not answer: they wait in the queue, where they are safe,
 * instead of becoming doubts. After a pause one transfer is let through to try.
 */
export type Breaker = Readonly<{
  /** How many submissions may begin as far as the breaker is concerned. */
  free(): number;
  began(): void;
  /** What came of a submission: an answer of any kind, or none. */
  ended(answered: boolean): void;
  /** A place was given back, also by one that never went out: then somebody else may try. */
  letGo(): void;
  isOpen(): boolean;
}>;

export function createBreaker(
  deps: Readonly<{ monotonicMs: () => number; random: () => number; timeScale: number }>,
): Breaker {
  let failures = 0;
  let pauseMs = OPEN_FIRST_MS;
  /** While open: when to try again. */
  let openUntilMs: number | undefined;
  let trying = false;

  function open(): void {
    const jitter = 1 + (deps.random() * 2 - 1) * JITTER;
    openUntilMs = deps.monotonicMs() + pauseMs * jitter * deps.timeScale;
    pauseMs = Math.min(OPEN_MAX_MS, pauseMs * 2);
    trying = false;
  }

  return {
    free() {
      if (openUntilMs === undefined) return Number.MAX_SAFE_INTEGER;
      return deps.monotonicMs() < openUntilMs || trying ? 0 : 1;
    },
    began() {
      if (openUntilMs !== undefined) trying = true;
    },
    ended(answered) {
      if (answered) {
        failures = 0;
        pauseMs = OPEN_FIRST_MS;
        openUntilMs = undefined;
        trying = false;
        return;
      }
      failures += 1;
      // Those that began before it opened and fail now say nothing new, unless it is being tried.
      if (openUntilMs === undefined ? failures >= FAILURES_TO_OPEN : trying) open();
    },
    letGo() {
      trying = false;
    },
    isOpen: () => openUntilMs !== undefined,
  };
}
