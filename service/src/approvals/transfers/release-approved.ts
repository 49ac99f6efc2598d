import { actorCode } from '../../domain/actor.ts';
import type { Routes } from '../../operators/routes/route.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { moveTransfers } from '../../transfers/move/move-transfers.ts';
import { mayEarlierBePaid } from '../../transfers/read/find-may-be-paid.ts';
import type { BookOfSubjects } from '../approval-source.ts';
import { judgeApprovals } from '../judge-approvals.ts';
import { lockApprovers, readApprovers } from '../read-approvers.ts';
import { isRecipientDenied } from './decide-transfer.ts';
import { lockWaiting } from './find-waiting.ts';
import { leaveWaiting } from './leave-waiting.ts';

export type ReleaseDeps = Readonly<{
  database: Database;
  directory: Queryable;
  routes: Routes;
  now: () => Date;
  newId: () => string;
}>;

/**
 * Lets a transfer go that has all its approvals and waits all the same: a person who approved it has a role again, or
 * the last screener held it after a person had approved it. It is judged anew under the locks of a decision, by the roles
 * that the directory has too. Returns whether it went.
 */
export async function releaseApproved(
  deps: ReleaseDeps,
  { book, id }: Readonly<{ book: BookOfSubjects; id: string }>,
): Promise<boolean> {
  const inDirectory = await readApprovers(deps.directory, book);
  return deps.database.transaction(async (tx) => {
    const approvers = await lockApprovers(tx, book, inDirectory);
    const found = await lockWaiting(tx, book, id);
    if (found?.transfer.state !== 'awaiting_approval' || found.isExpired) return false;
    if (!judgeApprovals(found.subject, approvers).isEnough) return false;
    // A person can reject it, or approve it once the entry has ended, or the incident is closed.
    if (await isRecipientDenied(tx, found.transfer)) return false;
    if (await mayEarlierBePaid(tx, found.transfer)) return false;
    const move = leaveWaiting(deps.routes, found, { actor: ACTOR, isApproved: true });
    const moving = { moves: [move], mover: deps.newId(), at: deps.now() };
    const [isMoved] = await moveTransfers(tx, moving);
    // It is locked and was read under the lock.
    if (isMoved !== true) throw new Error('a locked transfer could not be moved');
    return true;
  });
}

const ACTOR = actorCode({ kind: 'system', part: 'approvals' });
