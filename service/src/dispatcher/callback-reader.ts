import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import type { Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import { applyCallbacks, CALLBACKS_AT_ONCE_MAX } from '../transfers/callbacks/apply-callbacks.ts';

/** Callbacks that came before the response to our own request wait for it; they are read again this often. */
const ROUND_INTERVAL_MS = 500;
/** Callbacks come in bursts: this short gap lets one round serve many. */
const ROUND_GAP_MS = 10;

export type CallbackReaderDeps = Readonly<{
  database: Queryable;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  routes: Routes;
}>;

/** Turns stored callbacks into earlier inquiries to the operators. It is woken when one was stored. */
export function createCallbackReader(deps: CallbackReaderDeps): BackgroundLoop {
  const { database, logger, now, routes } = deps;
  return createBackgroundLoop({
    async round() {
      const families = new Map(routes.all().map(({ name, family }) => [name, family]));
      const applied = await applyCallbacks(database, { at: now(), families });
      return applied === CALLBACKS_AT_ONCE_MAX ? 0 : ROUND_INTERVAL_MS;
    },
    what: 'reading callbacks',
    logger,
    retryInMs: ROUND_INTERVAL_MS,
    gapMs: ROUND_GAP_MS,
  });
}
