import type { Country, Currency, Mode, Operator, TimeInput, Timestamp } from './words.ts';

export type TransferInput = Readonly<{
  /** From 0.01 to 1,000,000,000, at most 2 decimals. It is never rounded: 0.1 + 0.2 is refused. */
  amount: number;
  /** Your own name for it, unique for ever: letters, digits, `.`, `_`, `-`, at most 100. */
  reference: string;
  /** In any spelling that means one mobile number of the country. */
  phone: string;
  operator: Operator;
  country: Country;
  /** The wallet to pay from. */
  walletId: string;
  /** A note for the recipient, at most 100 characters. */
  narration?: string | null | undefined;
  /** A name for your records, at most 100 characters. */
  recipientName?: string | null | undefined;
  /** Names of your own for it: up to 20 keys, values of at most 200 characters. Never sent to the operator. */
  metadata?: Readonly<Record<string, string>> | null | undefined;
  /** When to send it, at most 90 days ahead; a text needs an offset. Left out: at once. */
  sendAt?: TimeInput | null | undefined;
}>;

export const TRANSFER_STATUSES = [
  'pending',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

export const TRANSFER_STATES = [
  'scheduled',
  'awaiting_approval',
  'queued',
  'submitting',
  'submitted',
  'in_doubt',
  'succeeded',
  'failed',
  'cancelled',
  'reversed',
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export type TransferFailureCode =
  | 'RECIPIENT_NOT_FOUND'
  | 'RECIPIENT_NOT_ALLOWED'
  | 'RECIPIENT_LIMIT_REACHED'
  | 'AMOUNT_REFUSED'
  | 'OPERATOR_REJECTED'
  | 'OPERATOR_FLOAT_INSUFFICIENT';

/** Why it was cancelled. */
export type CancellationCode =
  | 'CANCELLED'
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_EXPIRED'
  | 'APPROVAL_RECALLED'
  | 'SCREENING_REFUSED';

/** What it waits for while people decide about it. */
export type TransferApproval = Readonly<{
  /** How many people must approve it, in all. */
  needed: number;
  /** How many have. */
  given: number;
  expiresAt: Timestamp | null;
  requirements: readonly Readonly<{ rule: string; count: number; of: readonly string[] }>[];
  decisions: readonly Readonly<{
    person: Readonly<{ id: string; name: string }>;
    decision: 'approve' | 'reject';
    /** The role by which it counts. */
    role: string;
    reason: string | null;
    at: Timestamp;
  }>[];
  /** Who can still give an approval that is wanted. */
  canApprove: readonly Readonly<{ id: string; name: string; roles: readonly string[] }>[];
  /** Whether the person who reads it can; never for a key. */
  iCan: boolean;
  /** Whether that person can reject it, also where they cannot approve it; never for a key. */
  iCanReject: boolean;
  whyNot: string | null;
  maker: Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }> | null;
  /** The people who are left cannot give the approvals that it waits for. */
  impossible: boolean;
}>;

type WhateverItsState = Readonly<{
  id: string;
  type: 'mobile-money';
  reference: string;
  amount: number;
  /** What it costs on top of the amount. */
  fee: number;
  currency: Currency;
  walletId: string;
  /** In E.164: `+260977433571`. */
  phone: string;
  operator: Operator;
  country: Country;
  recipientName: string | null;
  narration: string | null;
  metadata: Readonly<Record<string, string>> | null;
  /** When it is to be sent; null: at once. */
  sendAt: Timestamp | null;
  /** How it came. */
  source: 'api' | 'console' | 'file' | 'schedule';
  /** The version of the policy that judged it; null: none was in force. */
  policyVersion: number | null;
  /** The rules of that policy that matched. */
  rules: readonly string[];
  /** What an approval of it is bound to; null: none was asked for. */
  contentHash: string | null;
  /**
   * Only where one transfer is read or decided about. In lists, events and the answer to `create` it is null also of
   * one that waits for approval: look at `state`.
   */
  approval: TransferApproval | null;
  /** The payout file that it is a row of. */
  payoutFileId: string | null;
  /** The failed transfer that it pays anew. */
  replaces: string | null;
  /** The operator's receipt. */
  operatorTransactionId: string | null;
  mode: Mode;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}>;

export type WaitingTransfer = WhateverItsState &
  Readonly<{
    status: 'pending';
    state: 'scheduled' | 'awaiting_approval' | 'queued' | 'submitting' | 'submitted';
    failure: null;
    completedAt: null;
  }>;

/** It is not known yet whether money moved. Do not pay again: the service finds out. */
export type InDoubtTransfer = WhateverItsState &
  Readonly<{
    status: 'pending';
    state: 'in_doubt';
    failure: null;
    completedAt: null;
    inDoubtSince: Timestamp;
    /** When the operator was last asked. */
    lastCheckedAt: Timestamp | null;
    /** Null once it waits for a person. */
    nextCheckAt: Timestamp | null;
  }>;

export type SuccessfulTransfer = WhateverItsState &
  Readonly<{ status: 'successful'; state: 'succeeded'; failure: null; completedAt: Timestamp }>;

/** No money moved: that is certain, and the wallet has it back. */
export type FailedTransfer = WhateverItsState &
  Readonly<{
    status: 'failed';
    state: 'failed';
    failure: Readonly<{ code: TransferFailureCode; message: string }>;
    completedAt: Timestamp;
  }>;

export type CancelledTransfer = WhateverItsState &
  Readonly<{
    status: 'cancelled';
    state: 'cancelled';
    failure: Readonly<{ code: CancellationCode; message: string }>;
    completedAt: Timestamp;
  }>;

/** The operator returned the money after success. */
export type ReversedTransfer = WhateverItsState &
  Readonly<{ status: 'reversed'; state: 'reversed'; failure: null; completedAt: Timestamp }>;

/** Compare `status` or `state`, and TypeScript knows what else the transfer has. */
export type Transfer =
  | WaitingTransfer
  | InDoubtTransfer
  | SuccessfulTransfer
  | FailedTransfer
  | CancelledTransfer
  | ReversedTransfer;

/** A transfer that has come to its end. A successful one can still be reversed. */
export type FinalTransfer = Exclude<Transfer, Readonly<{ status: 'pending' }>>;

export type TransferFilter = Readonly<{
  /** One, or any of up to 100. */
  reference?: string | readonly string[] | undefined;
  status?: TransferStatus | undefined;
  state?: TransferState | undefined;
  operator?: Operator | undefined;
  country?: Country | undefined;
  walletId?: string | undefined;
  /** Paid to this number, in any spelling. */
  phone?: string | undefined;
  /** At least this amount. */
  amountFrom?: number | undefined;
  /** At most this amount. */
  amountTo?: number | undefined;
  /** Created at or after this time. */
  from?: TimeInput | undefined;
  /** Created before this time. */
  to?: TimeInput | undefined;
  /** With this value under this key of its metadata: one key. */
  metadata?: Readonly<Record<string, string>> | undefined;
}>;

/** One state that the transfer was in. */
export type HistoryEntry = Readonly<{
  /** From 1. */
  sequence: number;
  /** The state before; null for the first. */
  from: TransferState | null;
  state: TransferState;
  /** The type of the event that told you of it, if any. */
  event: string | null;
  /** Why. */
  cause: string;
  /** By whom. */
  actor: string;
  at: Timestamp;
}>;
