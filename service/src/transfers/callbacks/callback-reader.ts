import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../../background/background-loop.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { applyCallbacks, CALLBACKS_AT_ONCE_MAX } from './apply-callbacks.ts';

const RETRY_INTERVAL_MS = 500;
/** Callbacks come in bursts: this short gap lets one round serve many. */
const ROUND_GAP_MS = 10;

export type CallbackReaderDeps = Readonly<{
  database: Queryable;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  routes: Routes;
}>;

/** Turns stored callbacks into earlier inquiries to the operators. It is woken when one was stored, and
 * as long as some wait for the response to our own request. */
export function createCallbackReader(deps: CallbackReaderDeps): BackgroundLoop {
  const { database, logger, now, routes } = deps;
  return createBackgroundLoop({
    async round() {
      const families = new Map(routes.all().map(({ name, family }) => [name, family]));
      const applied = await applyCallbacks(database, { at: now(), families });
      return applied === CALLBACKS_AT_ONCE_MAX ? 0 : UNTIL_WOKEN_MS;
    },
    what: 'reading callbacks',
    logger,
    retryInMs: RETRY_INTERVAL_MS,
    gapMs: ROUND_GAP_MS,
  });
}
