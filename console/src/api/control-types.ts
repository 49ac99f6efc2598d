import type { MerchantRole, Transfer } from './types.ts';

type Named = Readonly<{ id: string; name: string }>;

/** How many approvals, of people with which roles, and the rule that asks for them. */
export type Requirement = Readonly<{ rule: string; count: number; of: readonly MerchantRole[] }>;

export type Decided = Readonly<{
  person: Named;
  decision: 'approve' | 'reject';
  at: string;
  reason?: string | null;
}>;

export type Maker = Readonly<{ kind: string; id: string | null; name: string }>;

export type CanApprove = Named & Readonly<{ roles: readonly MerchantRole[] }>;

/** The approvals that a transfer or a file waits for, and the decisions so far. */
export type Approval = Readonly<{
  needed: number;
  given: number;
  expiresAt: string | null;
  requirements: readonly Requirement[];
  decisions: readonly Decided[];
  impossible: boolean;
  canApprove: readonly CanApprove[];
  iCan: boolean;
  /** Also where the reader cannot approve it. */
  iCanReject: boolean;
  whyNot: string | null;
  maker: Maker | null;
}>;

/** While it waits: the rows of a file that are neither paid nor refused. Null: it no longer waits. */
type FileLeft = Readonly<{ rowsLeft: number | null; amountLeft: string | null }>;

export type FileApproval = Approval & FileLeft;

/** A payout file as the list of approvals shows it. */
type ApprovalFile = FileLeft &
  Readonly<{
    id: string;
    name: string;
    state: string;
    source: 'file' | 'schedule';
    rows: number;
    amount: string;
    currency: string;
    payAt: string | null;
  }>;

export type ApprovalItem = Readonly<{
  kind: 'transfer' | 'file';
  id: string;
  contentHash: string;
  transfer?: Transfer | null;
  file?: ApprovalFile | null;
  requirements: readonly Requirement[];
  decisions: readonly Decided[];
  canApprove: readonly CanApprove[];
  iCan: boolean;
  /** Also where the reader cannot approve it. */
  iCanReject: boolean;
  whyNot: string | null;
  impossible: boolean;
  expiresAt: string | null;
  policyVersion: number | null;
  maker: Maker | null;
  createdAt: string;
}>;

export type ApprovalView = 'mine' | 'others' | 'all' | 'decided';

export type DecideAnswer = Readonly<{
  id: string;
  ok: boolean;
  code?: string | null;
  message?: string | null;
}>;

export type ListName = 'allow' | 'deny';

export type ListEntry = Readonly<{
  id: string;
  list: ListName;
  phone: string;
  reason: string;
  author: Named;
  createdAt: string;
  expiresAt: string | null;
  endedAt: string | null;
  endedBy: Named | null;
  inForce: boolean;
}>;

export type Screener = Readonly<{
  id: string;
  name: string;
  url: string;
  deadlineMs: number;
  createdAt: string;
  createdBy?: Named | null;
}>;

/** `rule` null: the wallet's own daily limit. Amounts and counts are texts. */
export type Limit = Readonly<{
  rule: string | null;
  kind: 'sum' | 'count';
  by: string;
  subject: string;
  name: string;
  /** `day`, or an ISO 8601 duration. */
  window: string;
  currency: string;
  /** False: above it the rule asks for something else. */
  refuses: boolean;
  limit: string;
  used: string;
  left: string;
  /** Null: the window slides. */
  resetsAt: string | null;
}>;

export type Limits = Readonly<{ items: readonly Limit[]; isComplete: boolean }>;

export type Screening = Readonly<{
  rule: string;
  screener: string;
  decision: string | null;
  reason: string | null;
  createdAt: string;
  decidedAt: string | null;
  attempts: readonly Readonly<{ at: string; status: number | null; error: string | null }>[];
}>;
