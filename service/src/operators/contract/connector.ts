import type { Currency } from '../../domain/money.ts';
import type { Country, Operator } from '../../domain/operator.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { SendWindow } from '../wire/send-window.ts';
import type { WireRecord } from '../wire/wire-record.ts';

/** What an operator's API can do; the dispatcher decides by these, never by the operator's name. */
type Abilities = Readonly<{
  /** The operator refuses a reference that it has seen. */
  deduplicates: boolean;
  /** For how long after the first submission it does. 0: it does not, or it is not relied on. */
  referenceMemoryMs: number;
  /** The state of a payout can be asked for by our reference. */
  inquires: boolean;
  /** After a while, "no such reference" proves that no money moved. */
  notFoundIsFinal: boolean;
  /**
   * Where an answer of "paid" need not tell amount and number, and the operator may tell them later:
   * such an answer is believed when it is heard again after this long. Null: it never tells more.
   */
  unconfirmedSuccessWaitMs: number | null;
  resolvesNames: boolean;
}>;

/** How long operators are taken to remember a reference, unless the route says otherwise. */
export const REFERENCE_MEMORY_MS = 12 * 60 * 60_000;

/** What a connector needs to know of a transfer, and no more. Submissions have a send window. */
export type Payout = SendWindow &
  Readonly<{
    operatorReference: string;
    phone: string;
    operator: Operator;
    country: Country;
    currency: Currency;
    amountMinor: bigint;
    narration: string | null;
    createdAt: Date;
  }>;

export type Account = Readonly<{ phone: string; operator: Operator; country: Country }>;

/** What an operator's answer means, with the answer itself for people; the sandbox has none. */
export type Reply = Readonly<{
  outcome: Outcome;
  wire: WireRecord | null;
  /** Exchanges before it that were refused for their token, in order. */
  earlier?: readonly WireRecord[];
}>;

export type NameAnswer =
  | Readonly<{ kind: 'resolved'; accountName: string }>
  | Readonly<{ kind: 'noAccount' }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

export type BalanceAnswer =
  | Readonly<{ kind: 'known'; availableMinor: bigint; currency: string }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/** An operator's call to us, as it came in. */
export type RawCallback = Readonly<{
  method: string;
  /** With its query, as it stood in the request line. */
  path: string;
  /** Names in lower case; a repeated header is joined with a comma and a space. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** What a callback tells of a payout; null where it tells nothing. */
export type ReportedPayout = Readonly<{
  amountMinor: bigint | null;
  currency: string | null;
  /** As E.164. */
  phone: string | null;
}>;

/** What a callback says. Never more than a hint: the inquiry that it brings forward decides. */
export type CallbackReading =
  | Readonly<{ kind: 'unreadable'; cause: string }>
  /** The operator signs its callbacks, and this signature is missing or wrong. */
  | Readonly<{ kind: 'forged'; cause: string }>
  | Readonly<{
      kind: 'read';
      operatorReference: string;
      claims: 'paid' | 'failed' | 'pending' | 'unknown';
      /** A signature was checked and holds. */
      verified: boolean;
      /** Compared with the transfer: what is another payout than was sent is kept with it. */
      told?: ReportedPayout;
      /** What the operator wants to hear back, as JSON; nothing in particular when left out. */
      acknowledgement?: string;
    }>;

export type AmountBounds = Readonly<{ minMinor: bigint; maxMinor: bigint; decimals: number }>;

/** What an operator says of itself, where it does. */
export type Conditions =
  | Readonly<{ kind: 'known'; open: boolean; bounds: AmountBounds | null }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/** Which operator holds a number, by a guess of the other side. */
export type Prediction =
  | Readonly<{ kind: 'known'; operator: string }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/**
 * The last hop. Connectors never throw: whatever happens on the wire is one of the answers. The
 * methods that not every operator has are optional.
 */
export interface Connector {
  readonly abilities: Abilities;
  submit(payout: Payout): Promise<Reply>;
  /** Asks what became of a payout; `checks` is how often it was asked before in this doubt. */
  inquire(payout: Payout, asked: Readonly<{ checks: number }>): Promise<Reply>;
  /** `waitedMs` is how long the caller has already been waiting for an answer. */
  resolveName(account: Account, asked: Readonly<{ waitedMs: number }>): Promise<NameAnswer>;
  /** What is left in our own account with the operator. */
  balance?(): Promise<BalanceAnswer>;
  readCallback?(callback: RawCallback): CallbackReading;
  /** Whether the operator takes payouts now and within which bounds; asked every minute. */
  readConditions?(): Promise<Conditions>;
  predictOperator?(phone: string): Promise<Prediction>;
  /** Asks the operator to take a payout back. Whether it did, only a later inquiry says. */
  recall?(
    payout: Payout,
    known: Readonly<{ operatorTransactionId: string | null }>,
  ): Promise<Reply>;
  /** Ends what the connector keeps open. What is under way may still finish. */
  close?(): void;
}
