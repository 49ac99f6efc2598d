import type { Transfer } from './transfer.ts';
import type { Timestamp } from './words.ts';

/** The kind of a subject of approval: one transfer, or a whole payout file. */
export type ApprovalKind = 'transfer' | 'file';

export type Decision = 'approve' | 'reject';

/**
 * `mine`: subjects that the person can approve; `others`: subjects that wait for other people; `all`: all that wait;
 * `decided`: those about which people have decided.
 */
export type ApprovalView = 'mine' | 'others' | 'all' | 'decided';

/** What one person decided. */
export type MadeDecision = Readonly<{
  person: Readonly<{ id: string; name: string }>;
  decision: Decision;
  /** The role of the person that counts. */
  role: string;
  reason: string | null;
  at: Timestamp;
}>;

/** A transfer or payout file that waits for approval, or did, as seen by the person who reads it. */
export type Approval = Readonly<{
  kind: ApprovalKind;
  id: string;
  /** The hash of the content that a decision is bound to. */
  contentHash: string;
  transfer: Transfer | null;
  file: Readonly<Record<string, unknown>> | null;
  requirements: readonly Readonly<{ rule: string; count: number; of: readonly string[] }>[];
  needed: number;
  given: number;
  decisions: readonly MadeDecision[];
  /** The people who can still give one of the missing approvals. */
  canApprove: readonly Readonly<{ id: string; name: string; roles: readonly string[] }>[];
  iCan: boolean;
  /** Can be true although the person cannot approve it: an owner may stop every payout. */
  iCanReject: boolean;
  whyNot: string | null;
  /** The missing approvals cannot be given by the remaining people. */
  impossible: boolean;
  policyVersion: number | null;
  maker: Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }> | null;
  createdAt: Timestamp;
  /** When it is cancelled if it is not decided before; null: it no longer waits. */
  expiresAt: Timestamp | null;
}>;

export type DecisionInput = Readonly<{
  kind: ApprovalKind;
  id: string;
  /** The hash of the content that the person was shown. */
  contentHash: string;
  decision: Decision;
  reason?: string | null | undefined;
}>;

/** The result of one of many decisions. */
export type DecisionResult = Readonly<{
  id: string;
  ok: boolean;
  /** Why it was not recorded. */
  code?: string;
  message?: string;
}>;
