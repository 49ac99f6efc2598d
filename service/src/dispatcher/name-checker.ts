import { type BackgroundLoop, createBackgroundLoop } from '../background/background-loop.ts';
import { checkSomeNames, type NameCheckDeps } from '../payout-files/check-names.ts';
import type { Logger } from '../telemetry/logger.ts';

/** How often files whose names are to be checked are looked for; a look that finds none is one probe of an index. */
const LOOK_INTERVAL_MS = 1_000;

/** Asks operators for the names of payout files, one part of one file after the other. */
export function createNameChecker(
  deps: NameCheckDeps & Readonly<{ logger: Pick<Logger, 'warn'> }>,
): BackgroundLoop {
  return createBackgroundLoop({
    round: async () => ((await checkSomeNames(deps)) ? 0 : LOOK_INTERVAL_MS),
    what: 'checking names of payout files',
    logger: deps.logger,
    retryInMs: LOOK_INTERVAL_MS,
  });
}
