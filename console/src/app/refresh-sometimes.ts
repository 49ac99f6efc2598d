type Refresh = Readonly<{ ask: () => void; stop: () => void }>;

/**
 * Refreshes a while after it is asked to, and never while a refresh is under way: over a slow line each new one would
 * take back the answers of the one before, and a busy book would show nothing new at all.
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
