import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { ShownApproval } from '../../views/render-transfer.ts';
import { canReject, countApprovals, findObstacle, judgeApprovals } from '../judge-approvals.ts';
import { readApprovers } from '../read-approvers.ts';
import { findWaiting } from './find-waiting.ts';

/** Who must approve a transfer and who did; null: no approval was asked for. Costs nothing for such a transfer. */
export async function showApproval(
  database: Queryable,
  {
    book,
    transfer,
    personId,
  }: Readonly<{ book: Book; transfer: Transfer; personId: string | null }>,
): Promise<ShownApproval | null> {
  const isAwaiting = transfer.state === 'awaiting_approval';
  if (!isAwaiting && transfer.approvalsNeeded === null) return null;
  const [found] = await findWaiting(database, book, [transfer.id]);
  if (found === undefined) return null;
  const { subject, maker } = found;
  const approvers = await readApprovers(database, book);
  const standing = judgeApprovals(subject, approvers);
  const obstacle =
    personId === null || !isAwaiting
      ? undefined
      : findObstacle(subject, { approvers, personId, decision: 'approve' });
  return {
    needed: standing.needed,
    given: isAwaiting ? standing.given : countApprovals(subject),
    expiresAt: isAwaiting ? (transfer.nextActionAt?.toISOString() ?? null) : null,
    requirements: subject.requirements,
    decisions: subject.decisions.map(({ at, ...decision }) => ({
      ...decision,
      at: at.toISOString(),
    })),
    canApprove: isAwaiting ? standing.canApprove : [],
    iCan: isAwaiting && personId !== null && obstacle === undefined,
    iCanReject: isAwaiting && personId !== null && canReject(subject, { approvers, personId }),
    whyNot: obstacle?.message ?? null,
    maker,
    impossible: isAwaiting && standing.impossible,
  };
}
