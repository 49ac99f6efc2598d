import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApprovalSubject, Approver } from './approval.ts';
import { findObstacle, judgeApprovals, roleOfDecision } from './judge-approvals.ts';

const ANNA: Approver = { id: 'anna', name: 'Anna', roles: ['approver'] };
const BEN: Approver = { id: 'ben', name: 'Ben', roles: ['approver', 'owner'] };

/** Anna approved it before it was known that she had a hand in it. */
const SUBJECT: ApprovalSubject = {
  kind: 'file',
  id: 'file',
  round: 1,
  contentHash: 'hash',
  requirements: [{ rule: 'large', count: 1, of: ['approver'] }],
  makerIds: [ANNA.id],
  isScreened: false,
  decisions: [
    {
      person: { id: ANNA.id, name: ANNA.name },
      decision: 'approve',
      role: 'approver',
      reason: null,
      at: new Date(0),
    },
  ],
};

describe('the approval of a person who counts as a maker since', () => {
  it('counts no more, and another can give it', () => {
    const { given, isEnough, canApprove, impossible } = judgeApprovals(SUBJECT, [ANNA, BEN]);
    assert.deepEqual(
      { given, isEnough, canApprove, impossible },
      { given: 0, isEnough: false, canApprove: [BEN], impossible: false },
    );
    const asked = { approvers: [ANNA, BEN], personId: BEN.id, decision: 'approve' } as const;
    assert.equal(findObstacle(SUBJECT, asked), undefined);
    assert.equal(roleOfDecision(SUBJECT, [ANNA, BEN], asked), 'approver');
  });

  it('leaves what no other person can approve impossible', () => {
    assert.equal(judgeApprovals(SUBJECT, [ANNA]).impossible, true);
  });
});

describe('the approvals of a subject whose screener has not answered', () => {
  const approved = { ...SUBJECT, makerIds: [] };
  const standing = (isScreened: boolean) => {
    const { isEnough, canApprove } = judgeApprovals({ ...approved, isScreened }, [ANNA, BEN]);
    return { isEnough, canApprove };
  };

  it('are not enough, and no further one is wanted', () => {
    assert.deepEqual(standing(true), { isEnough: false, canApprove: [] });
  });

  it('are enough once it has answered', () => {
    assert.deepEqual(standing(false), { isEnough: true, canApprove: [BEN] });
  });
});
