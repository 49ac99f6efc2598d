import assert from 'node:assert/strict';
import { createApprovalKeeper } from '../src/approvals/transfers/approval-keeper.ts';
import type { FlagDeps } from '../src/approvals/transfers/flag-impossible.ts';
import type { ReleaseDeps } from '../src/approvals/transfers/release-approved.ts';
import { directMoves } from './direct-moves.ts';
import { pollUntil } from './poll.ts';

/** Has the loop of approvals look at what waits until nothing is left to be looked at. */
export async function lookAtApprovals(
  deps: Omit<FlagDeps, 'otherSources'> & Partial<FlagDeps> & ReleaseDeps,
): Promise<void> {
  const { database } = deps;
  const keeper = createApprovalKeeper({
    otherSources: [],
    ...deps,
    moves: directMoves(database),
    logger: { warn: (...line: unknown[]) => assert.fail(JSON.stringify(line)) },
  });
  keeper.start();
  try {
    await pollUntil('the look to end', async () => {
      const rows = await database.query({ name: '', text: LEFT });
      return rows.length === 0;
    });
  } finally {
    await keeper.stop();
  }
}

const LEFT = `
  select from approval_checks_done d full join approval_checks c on c.book_id = d.book_id
  where c.number > coalesce(d.number, 0) or d.after is not null or d.asked_at is not null`;
