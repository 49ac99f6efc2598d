import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../../background/background-loop.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { type ExpireDeps, expireWaiting } from './expire-waiting.ts';
import { type ApprovalCheck, type FlagDeps, flagImpossible } from './flag-impossible.ts';
import { type ReleaseDeps, releaseApproved } from './release-approved.ts';

const RETRY_INTERVAL_MS = 1_000;

export type ApprovalKeeperDeps = ExpireDeps &
  FlagDeps &
  ReleaseDeps &
  Readonly<{ logger: Pick<Logger, 'warn'> }>;

/**
 * Cancels what was not approved in time, flags what the people who are left cannot approve, and lets go what has all its
 * approvals again.
 */
export function createApprovalKeeper(deps: ApprovalKeeperDeps): BackgroundLoop {
  async function lookAtAll(signal: AbortSignal): Promise<void> {
    const tried = new Set<string>();
    while (!signal.aborted) {
      const look = await flagImpossible(deps, tried);
      if (look === null) return;
      await release(look);
      for (const { id } of look.approved) tried.add(id);
      if (look.flagged === 0) continue;
      const { book, flagged: count } = look;
      deps.logger.warn(
        { bookId: book.id, count },
        'the people who are left cannot approve what waits',
      );
    }
  }

  async function release({ book, approved }: NonNullable<ApprovalCheck>): Promise<void> {
    for (const { kind, id } of approved) {
      if (kind === 'transfer') await releaseApproved(deps, { book, id });
      const source = deps.otherSources.find((one) => one.kind === kind);
      await source?.releaseApproved({ book, id });
    }
  }

  return createBackgroundLoop({
    async round(signal) {
      while (!signal.aborted && (await expireWaiting(deps)));
      await lookAtAll(signal);
      return UNTIL_WOKEN_MS;
    },
    what: 'looking for approvals that expired, became impossible or are enough',
    logger: deps.logger,
    retryInMs: RETRY_INTERVAL_MS,
  });
}
