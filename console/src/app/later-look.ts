type LaterLook = Readonly<{ plan: () => void; stop: () => void }>;

/**
 * Looks once more, this long after the last news. News without end do not put the look off for ever: one that is
 * planned stays, and another one follows it if there were news since.
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
