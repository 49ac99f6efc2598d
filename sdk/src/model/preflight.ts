import type { ErrorCode, FieldCode } from './failure.ts';
import type { Transfer, TransferInput } from './transfer.ts';
import type { Operator } from './words.ts';

/** A transfer whose reference may be left out. */
export type PreflightInput = Omit<TransferInput, 'reference'> &
  Readonly<{ reference?: string | undefined }>;

export type PreflightProblem = Readonly<{
  code: ErrorCode | FieldCode;
  /** The field to change. */
  field?: string;
  message: string;
  /** Of EARLIER_MAY_BE_PAID: the transfer that the operator may have paid. */
  transferId?: string;
}>;

export type PreflightWarning = Readonly<{
  code: ErrorCode | FieldCode | 'POLICY_WARNS';
  field?: string;
  message: string;
  /** The rule of the policy that warns. */
  rule?: string;
}>;

/** The result of checking a transfer that is not ordered. */
export type Preflight = Readonly<{
  /** Whether the same transfer, sent now, would be accepted. */
  wouldAccept: boolean;
  /** Every reason to refuse it; the order itself would be refused with the first. */
  problems: readonly PreflightProblem[];
  /** Warnings, which do not refuse it but should be looked at. */
  warnings: readonly PreflightWarning[];
  /** Null while the amount is not valid. */
  fee: number | null;
  /** What the wallet would hold: amount and fee. */
  total: number | null;
  /** What the wallet can pay out now; null: no such wallet. */
  available: string | null;
  operator: Readonly<{
    given: Operator | null;
    /** The operator to which the prefix was assigned. A number can move to another one, so this decides nothing. */
    predicted: Operator | null;
    /** Whether payouts are sent now; else they wait in the queue. */
    open: boolean;
    min: number | null;
    max: number | null;
  }>;
  /** The name of the account holder at the operator; null: not known now. */
  recipient: Readonly<{
    accountName: string;
    /** Null when no `recipientName` was given. */
    nameMatch: 'match' | 'close' | 'mismatch' | null;
  }> | null;
  /** How many people would have to approve it, and the rules that ask for it. */
  approvals: Readonly<{ needed: number; rules: readonly string[] }>;
  /** Transfers of the same amount to the same number in the last 24 hours, under another reference. */
  similar: readonly Transfer[];
  /** What is left: an amount, or a number of transfers. */
  limits: readonly Readonly<{ rule: string; left: string }>[];
}>;
