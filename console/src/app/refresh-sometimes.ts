type Refresh = Readonly<{ ask: () => void; stop: () => void }>;

/**
 * Refreshes some time after a request to do so, and never while a refresh is under way: over a slow connection each new
 * one would cancel the one before, and a busy book would never show anything new.
 */
export function refreshSometimes(refresh: () => Promise<unknown>, everyMs: number): Refresh {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnderWay = false;
  let isAskedAgain = false;
  let isStopped = false;
  const ask = (): void => {
    if (isUnderWay) isAskedAgain = true;
    else timer ??= setTimeout(() => void run(), everyMs);
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    isUnderWay = true;
    try {
      await refresh();
    } finally {
      isUnderWay = false;
      if (isAskedAgain && !isStopped) ask();
      isAskedAgain = false;
    }
  };
  return {
    ask,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
