/** Each takes a thread and up to some hundred megabytes; more at once would only make all slower. */
const CHECKS_AT_ONCE_MAX = 2;

/** The payout files that are checked at once in this process, over all cells. */
export type CheckPlaces = Readonly<{
  /** False: all are taken. */
  take(): boolean;
  /** Gives back a place that was not used. */
  giveBack(): void;
  /** Ends a check, and wakes those who may have the place now. */
  free(): void;
  onFree(listener: () => void): void;
}>;

export function createCheckPlaces(): CheckPlaces {
  const listeners: (() => void)[] = [];
  let taken = 0;
  const giveBack = () => {
    taken -= 1;
  };
  return {
    take() {
      if (taken >= CHECKS_AT_ONCE_MAX) return false;
      taken += 1;
      return true;
    },
    giveBack,
    free() {
      giveBack();
      for (const wake of listeners) wake();
    },
    onFree: (listener) => void listeners.push(listener),
  };
}
