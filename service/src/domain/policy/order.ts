import type { Metadata } from '../metadata.ts';
import type { Currency } from '../money.ts';
import type { NameMatch } from '../name-match.ts';
import type { Country, Operator } from '../operator.ts';
import type { Source } from '../source.ts';
import type { ApprovalRequirement } from './assign-approvals.ts';
import type { CountedBy } from './policy.ts';

/** What a policy judges: a transfer before it is accepted, or the total of a payout file. */
export type Order = Readonly<{
  amountMinor: bigint;
  currency: Currency;
  phone: string;
  operator: Operator;
  country: Country;
  walletId: string;
  /** Null: a person made it. */
  keyId: string | null;
  /** Null: a key made it. */
  personId: string | null;
  source: Source;
  metadata: Metadata | null;
  recipientName: string | null;
  /** When it is accepted. Sums, counts and days are counted by this time. */
  at: Date;
  /** Null: it is sent at once. */
  sendAt: Date | null;
}>;

/** The accepted transfers of one subject in one window and currency, without the order itself. */
export type WindowNeed = Readonly<{
  by: CountedBy;
  /** The id of the wallet, key or person, the phone number, or the operator. */
  subject: string;
  currency: Currency;
  window: NeedWindow;
}>;

export type NeedWindow =
  | Readonly<{ kind: 'sliding'; seconds: number }>
  | Readonly<{ kind: 'day'; startsAt: Date }>;

/** What a policy must know about the past, or from elsewhere, to decide about an order. */
export type Need =
  | Readonly<{ kind: 'sum' | 'count'; of: WindowNeed }>
  | Readonly<{ kind: 'firstPayment' }>
  | Readonly<{ kind: 'similar'; withinMs: number }>
  | Readonly<{ kind: 'nameMatch' }>
  | Readonly<{ kind: 'onAllowList' }>;

/** The answers to an order's needs. Only what `needsOf` listed for this order is asked for. */
export type Answers = Readonly<{
  sumMinor(of: WindowNeed): bigint;
  count(of: WindowNeed): number;
  /** Whether no transfer to this number was accepted before in the book. */
  isFirstPayment(): boolean;
  /** Whether one of the same number and amount was accepted within this time. */
  isSimilar(withinMs: number): boolean;
  /** Null: not known. */
  nameMatch(): NameMatch | null;
  isOnAllowList(): boolean;
}>;

/** What a policy says about an order. Rules are named in the order of the document. */
export type PolicyResult = Readonly<{
  /** The first rule that refuses; null: none does. */
  refusedBy: string | null;
  matched: readonly string[];
  approvals: readonly ApprovalRequirement[];
  warnings: readonly string[];
  screens: readonly Readonly<{ rule: string; screener: string }>[];
}>;

/** What is left before a rule's sum or count is exceeded, without the order itself. */
export type LimitLeft = Readonly<{
  rule: string;
  refuses: boolean;
  left: Readonly<{ kind: 'sum'; minor: bigint }> | Readonly<{ kind: 'count'; count: number }>;
}>;
