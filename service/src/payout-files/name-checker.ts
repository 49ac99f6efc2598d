import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import { checkSomeNames, type NameCheckDeps } from './check-names.ts';

const RETRY_INTERVAL_MS = 1_000;

/** Asks operators for the names of payout files, one part of one file after the other. */
export function createNameChecker(
  deps: NameCheckDeps & Readonly<{ logger: Pick<Logger, 'warn'> }>,
): BackgroundLoop {
  return createBackgroundLoop({
    round: async () => ((await checkSomeNames(deps)) ? 0 : UNTIL_WOKEN_MS),
    what: 'checking names of payout files',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}
