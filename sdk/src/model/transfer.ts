import type { Country, Currency, Mode, Operator, TimeInput, Timestamp } from './words.ts';

export type TransferInput = Readonly<{
  /** From 0.01 to 1,000,000,000, at most 2 decimals. It is never rounded: 0.1 + 0.2 is refused. */
  amount: number;
  /** Your reference, unique in the book and never free again: letters, digits, `.`, `_`, `-`, at most 100. */
  reference: string;
  /** A mobile number of the country, in any spelling. */
  phone: string;
  operator: Operator;
  country: Country;
  /** The wallet to pay from. */
  walletId: string;
  /** A note for the recipient, at most 100 characters. */
  narration?: string | null | undefined;
  /** A name for your records, at most 100 characters. */
  recipientName?: string | null | undefined;
  /** Your own data: up to 20 keys, values of at most 200 characters. Never sent to the operator. */
  metadata?: Readonly<Record<string, string>> | null | undefined;
  /** When to send it, at most 90 days ahead; a text needs an offset. If left out, it is sent at once. */
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

/** The approvals that the transfer waits for. */
export type TransferApproval = Readonly<{
  /** How many people must approve it, in all. */
  needed: number;
  /** How many people have approved it. */
  given: number;
  expiresAt: Timestamp | null;
  requirements: readonly Readonly<{ rule: string; count: number; of: readonly string[] }>[];
  decisions: readonly Readonly<{
    person: Readonly<{ id: string; name: string }>;
    decision: 'approve' | 'reject';
    /** The role of the person that counts. */
    role: string;
    reason: string | null;
    at: Timestamp;
  }>[];
  /** The people who can still give one of the missing approvals. */
  canApprove: readonly Readonly<{ id: string; name: string; roles: readonly string[] }>[];
  /** Whether the person who reads it can approve it; always false for a key. */
  iCan: boolean;
  /** Whether that person can reject it, which needs no right to approve it; always false for a key. */
  iCanReject: boolean;
  whyNot: string | null;
  maker: Readonly<{ kind: 'person' | 'key' | 'system'; id: string | null; name: string }> | null;
  /** The missing approvals cannot be given by the remaining people. */
  impossible: boolean;
}>;

type WhateverItsState = Readonly<{
  id: string;
  type: 'mobile-money';
  reference: string;
  amount: number;
  /** The fee, paid in addition to the amount. */
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
  /** Where the transfer came from. */
  source: 'api' | 'console' | 'file' | 'schedule';
  /** The version of the policy that was applied; null: none was in force. */
  policyVersion: number | null;
  /** The rules of that policy that matched. */
  rules: readonly string[];
  /** The hash that an approval is bound to; null: no approval was required. */
  contentHash: string | null;
  /**
   * Present only when you read one transfer or decide about it. In lists, events and the answer to `create` it is null
   * even if the transfer waits for approval: look at `state`.
   */
  approval: TransferApproval | null;
  /** The payout file that contains it as a row. */
  payoutFileId: string | null;
  /** The failed transfer that this one replaces. */
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

/** It is not known yet whether money moved. Do not pay again: the service inquires until it knows. */
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

/** It is certain that no money moved, and the money is back in the wallet. */
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

/** Compare `status` or `state`: TypeScript then knows the other fields. */
export type Transfer =
  | WaitingTransfer
  | InDoubtTransfer
  | SuccessfulTransfer
  | FailedTransfer
  | CancelledTransfer
  | ReversedTransfer;

/** A final transfer. A successful one can still be reversed. */
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
  /** One key of the metadata and its value. */
  metadata?: Readonly<Record<string, string>> | undefined;
}>;

/** One state that the transfer was in. */
export type HistoryEntry = Readonly<{
  /** From 1. */
  sequence: number;
  /** The state before; null for the first. */
  from: TransferState | null;
  state: TransferState;
  /** The type of the event of this change, if there was one. */
  event: string | null;
  /** Why the state changed. */
  cause: string;
  /** Who changed it. */
  actor: string;
  at: Timestamp;
}>;
