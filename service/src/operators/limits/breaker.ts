/** This many submissions in a row without an answer mean that the operator has a problem. */
const FAILURES_TO_OPEN = 5;
const OPEN_FIRST_MS = 2_000;
const OPEN_MAX_MS = 60_000;
/** The pause varies by up to this share, so that many processes do not retry at the same moment. */
const JITTER = 0.25;

/**
 * Stops submissions to an operator that does not answer: transfers wait in the queue, where they are safe, instead of
 * becoming doubts. After a pause one transfer is submitted as a test.
 */
export type Breaker = Readonly<{
  /** How many submissions the breaker allows to begin now. */
  free(): number;
  began(): void;
  /** The result of a submission: whether there was an answer of any kind. */
  ended(answered: boolean): void;
  /** A slot was released, also by a submission that was never sent: then another one may be the test. */
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
      // Failures of submissions that began before it opened are no new evidence, unless a test is under way.
      if (openUntilMs === undefined ? failures >= FAILURES_TO_OPEN : trying) open();
    },
    letGo() {
      trying = false;
    },
    isOpen: () => openUntilMs !== undefined,
  };
}
