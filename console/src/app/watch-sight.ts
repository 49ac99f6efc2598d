type Watched = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/**
 * Calls back when the page was hidden for this long, and at once when it is shown again. Returns a function that stops
 * it.
 */
export function watchSight(
  page: Watched,
  { onChange, hiddenMs }: Readonly<{ onChange: (isInSight: boolean) => void; hiddenMs: number }>,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(() => onChange(false), hiddenMs);
    else onChange(true);
  };
  look();
  page.addEventListener('visibilitychange', look);
  return () => {
    clearTimeout(timer);
    page.removeEventListener('visibilitychange', look);
  };
}
