import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import { firstBook } from '../transfers/move/claim-walk.ts';
import { type CheckFileDeps, checkFile } from './check-file.ts';
import { type CheckPlaces, createCheckPlaces } from './check-places.ts';
import { type CheckClaim, CheckLost, claimCheck } from './claim-check.ts';

const RETRY_INTERVAL_MS = 1_000;

export type PayoutFileCheckerDeps = CheckFileDeps &
  Readonly<{
    leaseOwner: string;
    logger: Pick<Logger, 'warn'>;
    /** Shared by the checkers of all cells. Left out: there is no other. */
    places?: CheckPlaces;
  }>;

/** Checks uploaded payout files in the background, some at once. A stop leaves them to the next process. */
export function createPayoutFileChecker(deps: PayoutFileCheckerDeps): BackgroundLoop {
  const { places = createCheckPlaces() } = deps;
  const underWay = new Set<Promise<void>>();
  let afterBook = firstBook();
  const loop = createBackgroundLoop({
    async round(signal) {
      if (!places.take()) return UNTIL_WOKEN_MS;
      const claim = await claimInPlace();
      if (claim === undefined) return UNTIL_WOKEN_MS;
      const check = run(claim, signal).finally(() => {
        underWay.delete(check);
        places.free();
      });
      underWay.add(check);
      return 0;
    },
    what: 'checking payout files',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });

  places.onFree(loop.wake);

  /** Keeps the place only if there is something to check. */
  async function claimInPlace(): Promise<CheckClaim | undefined> {
    let claim: CheckClaim | undefined;
    try {
      claim = await claimCheck(deps.database, { leaseOwner: deps.leaseOwner, afterBook });
      afterBook = claim?.book.id ?? afterBook;
      return claim;
    } finally {
      if (claim === undefined) places.giveBack();
    }
  }

  /** Never rejects. */
  async function run(claim: CheckClaim, signal: AbortSignal): Promise<void> {
    try {
      await checkFile(deps, claim, signal);
    } catch (error) {
      if (signal.aborted || error instanceof CheckLost) return;
      const { fileId } = claim;
      deps.logger.warn(
        { fileId, err: error },
        'checking a payout file failed, retried when its lease ends',
      );
    }
  }

  return {
    ...loop,
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
