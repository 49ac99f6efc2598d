import {
  type ApprovalRequirement,
  assignApprovals,
  canFillAll,
} from '../domain/policy/assign-approvals.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import {
  APPROVING_ROLES,
  type ApprovalDecision,
  type ApprovalSubject,
  type Approver,
  type ApprovingRole,
} from './approval.ts';

/** How far the approvals of a subject are. */
export type ApprovalStanding = Readonly<{
  needed: number;
  given: number;
  isEnough: boolean;
  /** Who can still give one that is wanted. */
  canApprove: readonly Approver[];
  /** The people who are left cannot give what is wanted. */
  impossible: boolean;
}>;

/**
 * An approval counts while its person still has a role for it, as proposals and invitations do: the approval of a
 * person who was removed does not count. That of one of its makers does not count either.
 */
export function judgeApprovals(
  subject: ApprovalSubject,
  approvers: readonly Approver[],
): ApprovalStanding {
  const { requirements, isScreened } = subject;
  const given = approvers.filter((person) => hasApproved(subject, person));
  const free = approvers.filter(({ id }) => !isMaker(subject, id) && !hasDecided(subject, id));
  const { needed, filled, open } = assignApprovals(requirements, given);
  // One that has all its approvals and waits all the same, such as until an entry of a deny list ended, takes one more.
  const isWanted = (person: Approver) =>
    open.length === 0
      ? !isScreened && hasRoleOf(requirements, person)
      : assignApprovals(requirements, [...given, person]).filled > filled;
  return {
    needed,
    given: filled,
    isEnough: open.length === 0 && !isScreened,
    canApprove: free.filter(isWanted),
    impossible: !canFillAll(requirements, [...given, ...free]),
  };
}

/** How many approved it, of a subject that waits no more: who has left since did approve it. */
export function countApprovals({ decisions }: ApprovalSubject): number {
  return decisions.filter(({ decision }) => decision === 'approve').length;
}

/** Why this person cannot decide about it now; undefined: they can. */
export function findObstacle(
  subject: ApprovalSubject,
  {
    approvers,
    personId,
    decision,
  }: Readonly<{
    approvers: readonly Approver[];
    personId: string;
    decision: ApprovalDecision;
  }>,
): Refusal | undefined {
  if (isMaker(subject, personId)) return refuse('OWN_WORK', OWN);
  if (hasDecided(subject, personId)) return refuse('ALREADY_DECIDED', DECIDED);
  const person = approvers.find(({ id }) => id === personId);
  if (person === undefined) return refuse('FORBIDDEN', NO_ROLE);
  if (decision === 'reject') {
    return mayReject(subject, person)
      ? undefined
      : refuse('FORBIDDEN', unwanted(subject.requirements));
  }
  const { canApprove } = judgeApprovals(subject, approvers);
  if (canApprove.some(({ id }) => id === personId)) return undefined;
  const { open } = assignApprovals(
    subject.requirements,
    approvers.filter((one) => hasApproved(subject, one)),
  );
  const isComplete = open.length === 0 && !subject.isScreened;
  return refuse('FORBIDDEN', unwanted(isComplete ? subject.requirements : open));
}

export function canReject(
  subject: ApprovalSubject,
  who: Readonly<{ approvers: readonly Approver[]; personId: string }>,
): boolean {
  return findObstacle(subject, { ...who, decision: 'reject' }) === undefined;
}

/** The role by which a decision counts. */
export function roleOfDecision(
  subject: ApprovalSubject,
  approvers: readonly Approver[],
  { personId, decision }: Readonly<{ personId: string; decision: ApprovalDecision }>,
): ApprovingRole {
  const counted = approvers.filter((one) => one.id === personId || hasApproved(subject, one));
  const index = assignApprovals(subject.requirements, counted).requirementOf.get(personId);
  const wanted =
    decision === 'approve' && index !== undefined
      ? (subject.requirements[index]?.of ?? [])
      : subject.requirements.flatMap(({ of }) => of);
  const { roles } = approvers.find(({ id }) => id === personId) ?? { roles: [] };
  const role = roles.find((one) => wanted.includes(one)) ?? roles[0];
  if (role === undefined) throw new Error('a person without a role decided');
  return role;
}

function isMaker({ makerIds }: ApprovalSubject, personId: string): boolean {
  return makerIds.includes(personId);
}

/** With an approval that counts. A person may have approved it before it was known that they are one of its makers. */
function hasApproved(subject: ApprovalSubject, { id }: Approver): boolean {
  return !isMaker(subject, id) && hasDecided(subject, id, 'approve');
}

function hasDecided(
  { decisions }: ApprovalSubject,
  personId: string,
  as?: ApprovalDecision,
): boolean {
  return decisions.some(
    ({ person, decision }) => person.id === personId && (as === undefined || decision === as),
  );
}

/** People who may approve it may reject it, and so may an owner: an owner may stop every payout. */
function mayReject({ requirements }: ApprovalSubject, person: Approver): boolean {
  return person.roles.includes('owner') || hasRoleOf(requirements, person);
}

function hasRoleOf(requirements: readonly ApprovalRequirement[], { roles }: Approver): boolean {
  return roles.some((role) => requirements.some(({ of }) => of.includes(role)));
}

function unwanted(open: readonly ApprovalRequirement[]): Readonly<{ message: string }> {
  const roles = APPROVING_ROLES.filter((role) => open.some(({ of }) => of.includes(role)));
  return {
    message:
      roles.length === 0
        ? 'No approval is wanted now: it waits for the answer of a screener.'
        : `Your roles are not wanted here. It waits for a person with the role ${roles.join(' or ')}.`,
  };
}

const OWN = {
  message:
    'You prepared this, or made the key that did. Another person must decide; you can recall it.',
};
const DECIDED = { message: 'You decided about this already. A decision cannot be changed.' };
const NO_ROLE = { message: 'You have no role by which you may approve in this book.' };
