import type { ApprovalRequirement } from './approval-requirement.ts';
import type { DoubtKind } from './doubt-kind.ts';
import { type Metadata, sameMetadata } from './metadata.ts';
import type { Currency } from './money.ts';
import type { Country, Operator } from './operator.ts';
import type { FailureCode, ReportedField } from './outcome.ts';
import type { Source } from './source.ts';
import type { TransferState } from './transfer-state.ts';

export type Mode = 'test' | 'live';

/** What the merchant requests, parsed and exact. */
export type TransferCommand = Readonly<{
  reference: string;
  idempotencyKey: string | null;
  amountMinor: bigint;
  phone: string;
  operator: Operator;
  country: Country;
  currency: Currency;
  walletId: string;
  narration: string | null;
  recipientName: string | null;
  metadata: Metadata | null;
  /** Null: at once. */
  sendAt: Date | null;
}>;

export type Transfer = Readonly<{
  bookId: string;
  id: string;
  mode: Mode;
  walletId: string;
  reference: string;
  state: TransferState;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: Currency;
  phone: string;
  operator: Operator;
  country: Country;
  recipientName: string | null;
  narration: string | null;
  metadata: Metadata | null;
  /** When it is to leave; null: at once. */
  sendAt: Date | null;
  source: Source;
  /** The person who ordered it; null: a program with a key. */
  madeBy: string | null;
  /** The policy that judged it; null: none was in force. */
  policyVersion: number | null;
  /** The names of that policy's rules that matched. */
  rules: readonly string[];
  /** Null: no approval was asked for. Empty: only a screening was. */
  approvalsNeeded: readonly ApprovalRequirement[] | null;
  /** The payout file that it is a row of. */
  fileId: string | null;
  /** The failed transfer that it pays anew. */
  replaces: string | null;
  /** The route by which it goes or went; later inquiries use the same one. NO_ROUTE: none is chosen yet. */
  route: string;
  /** A fingerprint of the account that the route had when it was sent; null: not known. */
  routeAccount: string | null;
  operatorReference: string;
  operatorTransactionId: string | null;
  failureCode: FailureCode | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
  inDoubtSince: Date | null;
  /** Why it is in doubt; null: it is not. */
  doubtKind: DoubtKind | null;
  /**
   * How long the doubt had lasted when this was read, or the time since the operator last left an inquiry unanswered.
   * By the database's clock: a process's clock may jump, and a doubt of a second would look old enough to be given up.
   */
  doubtMs: number | null;
  /**
   * Time since its first doubt, and since the operator first said that it has it. Later answers do not reset either.
   */
  sinceDoubtMs: number | null;
  sincePendingMs: number | null;
  /** Time since it left the queue for its first submission; null: it never did, or this is not known. */
  sinceSubmissionMs: number | null;
  /** How often it was resubmitted since. */
  resubmissions: number;
  /** How often its operator was asked to take it back, or may have been. */
  recalls: number;
  /** The last answer of its operator said that it took nothing. */
  throttled: boolean;
  /** The number of its last event. Every move states the number that it saw. */
  eventSeq: number;
  lastCheckedAt: Date | null;
  nextActionAt: Date | null;
  /** Inquiries made since the doubt began. */
  checks: number;
  notFoundAnswers: number;
  /** Answers of "paid" that did not say what was paid, since the last answer that said otherwise. */
  unconfirmedSuccesses: number;
  /** Every point on which an answer ever contradicted what was sent. It only grows. */
  contradictions: readonly ReportedField[];
}>;

/** The route of a scheduled transfer: its route is chosen when it is sent. No route can have this name. */
export const NO_ROUTE = '-';

/** Whether a transfer and a command request the same thing. Compares values, not bytes. */
export function sameMeaning(transfer: Transfer, command: TransferCommand): boolean {
  return (
    transfer.reference === command.reference &&
    transfer.amountMinor === command.amountMinor &&
    transfer.phone === command.phone &&
    transfer.operator === command.operator &&
    transfer.country === command.country &&
    transfer.walletId === command.walletId &&
    transfer.narration === command.narration &&
    transfer.recipientName === command.recipientName &&
    transfer.sendAt?.getTime() === command.sendAt?.getTime() &&
    sameMetadata(transfer.metadata, command.metadata)
  );
}
