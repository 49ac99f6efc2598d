import type { ShownApproval } from '../views/render-transfer.ts';
import type { ApprovalSubject, Approver } from './approval.ts';
import type { Awaiting } from './approval-source.ts';
import { canReject, countApprovals, findObstacle, judgeApprovals } from './judge-approvals.ts';

type Shown = ApprovalSubject & Pick<Awaiting, 'isAwaiting' | 'expiresAt' | 'maker'>;

/** Who must approve a subject and who did, and what its reader can do about it. `personId` null: a key reads it. */
export function showSubject(
  subject: Shown,
  { approvers, personId }: Readonly<{ approvers: readonly Approver[]; personId: string | null }>,
): ShownApproval {
  const { isAwaiting } = subject;
  const standing = judgeApprovals(subject, approvers);
  const obstacle =
    personId === null || !isAwaiting
      ? undefined
      : findObstacle(subject, { approvers, personId, decision: 'approve' });
  return {
    needed: standing.needed,
    given: isAwaiting ? standing.given : countApprovals(subject),
    expiresAt: isAwaiting ? (subject.expiresAt?.toISOString() ?? null) : null,
    requirements: subject.requirements,
    decisions: subject.decisions.map(({ at, ...decision }) => ({
      ...decision,
      at: at.toISOString(),
    })),
    canApprove: isAwaiting ? standing.canApprove : [],
    iCan: isAwaiting && personId !== null && obstacle === undefined,
    iCanReject: isAwaiting && personId !== null && canReject(subject, { approvers, personId }),
    whyNot: obstacle?.message ?? null,
    maker: subject.maker,
    impossible: isAwaiting && standing.impossible,
  };
}
