/** So many per second, saved up to one second's worth, so that a quiet moment is not lost. */
export type Allowance = Readonly<{
  /** How many may begin now. */
  free(): number;
  /** Counts one that begins; may go below zero, and then the next ones wait longer. */
  take(): void;
}>;

export function createAllowance(
  options: Readonly<{ perSecond: () => number; monotonicMs: () => number }>,
): Allowance {
  const { perSecond, monotonicMs } = options;
  let saved = Math.max(1, perSecond());
  let filledAtMs = monotonicMs();

  function fill(): void {
    const nowMs = monotonicMs();
    const rate = perSecond();
    saved = Math.min(Math.max(1, rate), saved + ((nowMs - filledAtMs) / 1_000) * rate);
    filledAtMs = nowMs;
  }

  return {
    free() {
      fill();
      return Math.max(0, Math.floor(saved));
    },
    take() {
      fill();
      saved -= 1;
    },
  };
}

/** For operators that ask for no restraint. */
export const UNLIMITED: Allowance = { free: () => Number.MAX_SAFE_INTEGER, take: () => undefined };
