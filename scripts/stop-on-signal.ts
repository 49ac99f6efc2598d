/** npm and `timeout` signal all processes of their group, and run.mjs forwards the signal: the same one comes twice. */
const ECHO_MS = 500;
/** As shells report a program that was interrupted. */
export const EXIT_INTERRUPTED = 130;

/** Aborts at the first SIGINT or SIGTERM, so that the run cleans up. A later one ends the process at once. */
export function stopOnSignal(say: (text: string) => void, exitCode: number): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | undefined;
  const onSignal = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      say('stopping, and removing the database');
      controller.abort();
    } else if (performance.now() - firstMs > ECHO_MS) {
      process.exit(exitCode);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return controller.signal;
}
