import type { Transfer } from './transfer.ts';
import type { Timestamp } from './words.ts';

/** What waits for approval: one transfer, or a payout file as a whole. */
export type ApprovalKind = 'transfer' | 'file';

export type Decision = 'approve' | 'reject';

/**
 * `mine`: what the person can approve; `others`: what waits for other people; `all`: all that waits; `decided`: what people
 * decided about and waits no more.
 */
export type ApprovalView = 'mine' | 'others' | 'all' | 'decided';

/** What one person decided. */
export type MadeDecision = Readonly<{
  person: Readonly<{ id: string; name: string }>;
  decision: Decision;
  /** The role by which it counts. */
  role: string;
  reason: string | null;
  at: Timestamp;
}>;

/** Something that waits for approval, or did, as the person who asks sees it. */
export type Approval = Readonly<{
  kind: ApprovalKind;
  id: string;
  /** What a decision is bound to. */
  contentHash: string;
  transfer: Transfer | null;
  file: Readonly<Record<string, unknown>> | null;
  requirements: readonly Readonly<{ rule: string; count: number; of: readonly string[] }>[];
  needed: number;
  given: number;
  decisions: readonly MadeDecision[];
  /** Who can still give an approval that is wanted. */
  canApprove: readonly Readonly<{ id: string; name: string; roles: readonly string[] }>[];
  iCan: boolean;
  /** Also where the person cannot approve it: an owner may stop every payout. */
  iCanReject: boolean;
  whyNot: string | null;
  /** The people who are left cannot give the approvals that it waits for. */
  impossible: boolean;
  policyVersion: number | null;
  maker: Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }> | null;
  createdAt: Timestamp;
  /** When it is cancelled unless it is decided by then; null: it waits no more. */
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

/** What became of one of many decisions. */
export type DecisionResult = Readonly<{
  id: string;
  ok: boolean;
  /** Why it was not recorded. */
  code?: string;
  message?: string;
}>;
