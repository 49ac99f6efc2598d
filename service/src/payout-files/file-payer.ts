import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../background/background-loop.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type AdvanceDeps, advanceFile } from './advance-file.ts';
import { claimFiles } from './claim-files.ts';

const RETRY_INTERVAL_MS = 500;
/** Files that are paid at the same time; each gets one batch, then the others that are due have their turn. */
const FILES_AT_ONCE = 4;

export type FilePayerDeps = AdvanceDeps & Readonly<{ logger: Logger }>;

/** Pays submitted files: begins them on their day, makes their transfers batch by batch, and sees when all ended. */
export function createFilePayer(deps: FilePayerDeps): BackgroundLoop {
  const { database, leaseOwner, logger } = deps;
  return createBackgroundLoop({
    async round(signal) {
      if (signal.aborted) return 0;
      const claimed = await claimFiles(database, { leaseOwner, max: FILES_AT_ONCE });
      await Promise.all(
        claimed.map((one) =>
          advanceFile(deps, one).catch((error: unknown) =>
            logger.warn(
              { fileId: one.file.id, err: error },
              'paying a file failed, retried when its lease ends',
            ),
          ),
        ),
      );
      return claimed.length > 0 ? 0 : UNTIL_WOKEN_MS;
    },
    what: 'looking for payout files to pay',
    logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}
