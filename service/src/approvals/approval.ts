import type { ApprovalRequirement } from '../domain/policy/assign-approvals.ts';
import type { MerchantRole } from '../domain/roles.ts';

export const SUBJECT_KINDS = ['transfer', 'file'] as const;
/** What people approve: one transfer, or a payout file as a whole. */
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export const APPROVAL_DECISIONS = ['approve', 'reject'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** The roles that may approve at all: those of the permission payouts:approve. */
export const APPROVING_ROLES = ['approver', 'owner'] as const satisfies readonly MerchantRole[];
export type ApprovingRole = (typeof APPROVING_ROLES)[number];

/** A person who may approve in a book, with the roles that hold there now. */
export type Approver = Readonly<{ id: string; name: string; roles: readonly ApprovingRole[] }>;

/** What one person decided. */
export type MadeDecision = Readonly<{
  person: Readonly<{ id: string; name: string }>;
  decision: ApprovalDecision;
  role: ApprovingRole;
  reason: string | null;
  at: Date;
}>;

/** What waits for decisions, as the database has it now. */
export type ApprovalSubject = Readonly<{
  kind: SubjectKind;
  id: string;
  /** A subject that comes to wait again has a new number, and decisions about it are made anew. */
  round: number;
  contentHash: string;
  requirements: readonly ApprovalRequirement[];
  /** The people who made it, by themselves or by a key of theirs. None of them decides about it. */
  makerIds: readonly string[];
  /** A screener has not answered yet: approvals count, and it leaves only after the answer. */
  isScreened: boolean;
  /** In the order of time. */
  decisions: readonly MadeDecision[];
}>;

/** What is asked for where no rule asks: a transfer that is late, or that a person has to look at. */
export const ONE_PERSON: readonly ApprovalRequirement[] = [
  { rule: 'a person must look at it', count: 1, of: APPROVING_ROLES },
];

export const REASON_LENGTH_MAX = 500;
