type LaterLook = Readonly<{ plan: () => void; stop: () => void }>;

/**
 * Loads again, this long after an event. A constant stream of events does not delay it for ever: a planned load stays,
 * and another one follows it if there were events since.
 */
export function createLaterLook(look: () => void, afterMs: number): LaterLook {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasNews = false;
  const wait = (): void => {
    hasNews = false;
    timer = setTimeout(() => {
      timer = undefined;
      look();
      if (hasNews) wait();
    }, afterMs);
  };
  return {
    plan: () => {
      if (timer === undefined) wait();
      else hasNews = true;
    },
    stop: () => clearTimeout(timer),
  };
}
