import type { Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { applyCallbacks, CALLBACKS_AT_ONCE_MAX } from '../transfers/callbacks/apply-callbacks.ts';

/** Callbacks that came before the response to our own request wait for it; they are read again this often. */
const ROUND_INTERVAL_MS = 500;
/** Callbacks come in bursts: this short wait lets one round serve many. */
const WAKE_DELAY_MS = 10;

export type CallbackReaderDeps = Readonly<{
  database: Queryable;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  routes: Routes;
}>;

export type CallbackReader = Readonly<{
  start(): void;
  /** A callback was stored: read soon. */
  wake(): void;
  /** Waits for the round under way. May be called before `start`, and more than once. */
  stop(): Promise<void>;
}>;

/** Turns stored callbacks into earlier inquiries to the operators. */
export function createCallbackReader(deps: CallbackReaderDeps): CallbackReader {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let stopped = true;
  let wokenMeanwhile = false;

  async function read(): Promise<void> {
    try {
      while ((await applyOnce(deps)) === CALLBACKS_AT_ONCE_MAX && !stopped);
    } catch (error) {
      deps.logger.warn({ err: error }, 'reading callbacks failed, trying again');
    }
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      wokenMeanwhile = false;
      round = read().finally(() => {
        round = undefined;
        schedule(wokenMeanwhile ? WAKE_DELAY_MS : ROUND_INTERVAL_MS);
      });
    }, delayMs);
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      schedule(WAKE_DELAY_MS);
    },
    wake() {
      if (wokenMeanwhile) return;
      wokenMeanwhile = true;
      if (round === undefined) schedule(WAKE_DELAY_MS);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}

function applyOnce({ database, now, routes }: CallbackReaderDeps): Promise<number> {
  const families = new Map(routes.all().map(({ name, family }) => [name, family]));
  return applyCallbacks(database, { at: now(), families });
}
