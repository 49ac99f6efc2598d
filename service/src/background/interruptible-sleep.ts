/** A sleep that can be ended from outside. A `wake` while no sleep is under way ends the next one. */
export type InterruptibleSleep = Readonly<{
  wake(): void;
  /** Ends the present sleep and every later one at once. */
  close(): void;
  /** Ends early only when closed. */
  sleepAtLeast(ms: number): Promise<void>;
  sleepUntilWoken(msMax: number): Promise<void>;
}>;

export function createInterruptibleSleep(): InterruptibleSleep {
  let woken = false;
  let closed = false;
  let endSleep: (() => void) | undefined;
  let endsEarly = false;

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(end, ms);
      function end(): void {
        clearTimeout(timer);
        endSleep = undefined;
        resolve();
      }
      endSleep = end;
    });
  }

  return {
    wake() {
      woken = true;
      if (endsEarly) endSleep?.();
    },
    close() {
      closed = true;
      endSleep?.();
    },
    async sleepAtLeast(ms) {
      endsEarly = false;
      if (!closed) await sleep(ms);
    },
    async sleepUntilWoken(msMax) {
      endsEarly = true;
      if (!closed && !woken) await sleep(msMax);
      woken = false;
    },
  };
}
