import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../../background/background-loop.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { applyCallbacks, CALLBACKS_AT_ONCE_MAX } from './apply-callbacks.ts';
import { finalRoutes, type TakenCallback } from './take-as-answer.ts';

const RETRY_INTERVAL_MS = 500;
/** Callbacks come in bursts: this short gap lets one round serve many. */
const ROUND_GAP_MS = 10;
/** Taken callbacks that are not recorded yet. With more of them the next round waits. */
const TAKEN_UNDER_WAY_MAX = 2 * CALLBACKS_AT_ONCE_MAX;

export type CallbackReaderDeps = Readonly<{
  database: Queryable;
  logger: Pick<Logger, 'warn'>;
  now: () => Date;
  routes: Routes;
  leaseOwner: string;
  /** Records a callback that was taken as the answer to an inquiry. Never rejects. */
  answer: (taken: TakenCallback) => Promise<void>;
}>;

/** Turns stored callbacks into earlier inquiries to the operators, or into answers where they are final. It is woken when one was stored, and
 * as long as some wait for the response to our own request. */
export function createCallbackReader(deps: CallbackReaderDeps): BackgroundLoop {
  const { database, logger, now, routes, leaseOwner, answer } = deps;
  const underWay = new Set<Promise<void>>();
  return createBackgroundLoop({
    async round() {
      while (underWay.size > TAKEN_UNDER_WAY_MAX) await Promise.race(underWay);
      const families = new Map(routes.all().map(({ name, family }) => [name, family]));
      const taker = { leaseOwner, routes: finalRoutes(routes) };
      const { handled, taken } = await applyCallbacks(database, { at: now(), families, taker });
      // Not awaited: a locked wallet delays its own transfer, and no other callback.
      for (const one of taken) {
        const answering = answer(one).finally(() => void underWay.delete(answering));
        underWay.add(answering);
      }
      return handled === CALLBACKS_AT_ONCE_MAX ? 0 : UNTIL_WOKEN_MS;
    },
    what: 'reading callbacks',
    logger,
    retryInMs: RETRY_INTERVAL_MS,
    gapMs: ROUND_GAP_MS,
  });
}
