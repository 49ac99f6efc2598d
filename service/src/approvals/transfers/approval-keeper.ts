import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../../background/background-loop.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { type ExpireDeps, expireWaiting } from './expire-waiting.ts';
import { type FlagDeps, flagImpossible } from './flag-impossible.ts';

const RETRY_INTERVAL_MS = 1_000;

export type ApprovalKeeperDeps = ExpireDeps & FlagDeps & Readonly<{ logger: Logger }>;

/** Cancels what was not approved in time, and flags what the people who are left cannot approve. */
export function createApprovalKeeper(deps: ApprovalKeeperDeps): BackgroundLoop {
  async function flagAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const look = await flagImpossible(deps);
      if (look === null) return;
      if (look.flagged === 0) continue;
      const { bookId, flagged: count } = look;
      deps.logger.warn({ bookId, count }, 'the people who are left cannot approve what waits');
    }
  }

  return createBackgroundLoop({
    async round(signal) {
      while (!signal.aborted && (await expireWaiting(deps)));
      await flagAll(signal);
      return UNTIL_WOKEN_MS;
    },
    what: 'looking for approvals that expired or became impossible',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}
