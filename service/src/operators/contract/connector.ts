import type { Currency } from '../../domain/money.ts';
import type { Country, Operator } from '../../domain/operator.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { SendWindow } from '../wire/send-window.ts';
import type { WireRecord } from '../wire/wire-record.ts';

/** What an operator's API can do. The dispatcher decides by these, never by the operator's name. */
type Abilities = Readonly<{
  /** The operator refuses a reference that it has seen. */
  deduplicates: boolean;
  /** How long after the first submission it does so. 0: it does not, or this is not relied on. */
  referenceMemoryMs: number;
  /** The status of a payout can be queried by our reference. */
  inquires: boolean;
  /** After a while, "no such reference" proves that no money moved. */
  notFoundIsFinal: boolean;
  /**
   * For operators whose "paid" need not report amount and number, and that may report them later: such an answer is
   * final if it is repeated after this time. Null: the operator never reports more.
   */
  unconfirmedSuccessWaitMs: number | null;
  resolvesNames: boolean;
  /** The balance of our account can be asked for. */
  reportsBalance: boolean;
  /**
   * A callback whose signature was verified ends a payout as the answer to an inquiry does. Such a connector has
   * `readAnswer`. False: every callback is only a hint.
   */
  signedCallbacksAreFinal: boolean;
}>;

/** How long operators are assumed to remember a reference, unless the route says otherwise. */
export const REFERENCE_MEMORY_MS = 12 * 60 * 60_000;

/** The part of a transfer that a connector needs. Submissions have a send window. */
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

/** What an operator's answer means, with the record of the exchange for people; the sandbox has no record. */
export type ConnectorReply = Readonly<{
  outcome: Outcome;
  wire: WireRecord | null;
  /** Earlier exchanges that were refused for their token, in order. */
  earlier?: readonly WireRecord[];
}>;

export type NameAnswer =
  | Readonly<{ kind: 'resolved'; accountName: string }>
  | Readonly<{ kind: 'noAccount' }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

export type BalanceAnswer =
  | Readonly<{
      kind: 'known';
      availableMinor: bigint;
      currency: string;
      /** The part of the account that it is the balance of, if an account has several. Routes may share one. */
      part?: string;
    }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/** An operator's callback as it arrived. */
export type RawCallback = Readonly<{
  method: string;
  /** With its query, as in the request line. */
  path: string;
  /** Names in lower case; repeated headers are joined with a comma and a space. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}>;

/** What a callback reports about a payout; null for what it does not report. */
export type ReportedPayout = Readonly<{
  amountMinor: bigint | null;
  currency: string | null;
  /** As E.164. */
  phone: string | null;
}>;

/**
 * What a callback says. It is only a hint: the inquiry that it brings forward decides, unless the connector declares
 * `signedCallbacksAreFinal`.
 */
export type CallbackReading =
  | Readonly<{ kind: 'unreadable'; cause: string }>
  /** The operator signs its callbacks, and this signature is missing or wrong. */
  | Readonly<{ kind: 'forged'; cause: string }>
  | Readonly<{
      kind: 'read';
      operatorReference: string;
      claims: 'paid' | 'failed' | 'pending' | 'unknown';
      /** A signature was checked and is valid. */
      verified: boolean;
      /** Compared with the transfer: differences from what was sent are stored with it. */
      reported?: ReportedPayout;
      /** The answer that the operator expects, as JSON; left out if it expects none in particular. */
      acknowledgement?: string;
    }>;

export type AmountBounds = Readonly<{ minMinor: bigint; maxMinor: bigint; decimals: number }>;

/** What an operator reports about its own availability and bounds, if it does. */
export type OperatorConditions =
  | Readonly<{ kind: 'known'; open: boolean; bounds: AmountBounds | null }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/** Which operator serves a number, as guessed by the other side. */
export type Prediction =
  | Readonly<{ kind: 'known'; operator: string }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/**
 * The interface to one operator. Connectors never throw: every fault of the wire is one of the answers. Methods
 * that not every operator supports are optional.
 */
export interface Connector {
  readonly abilities: Abilities;
  submit(payout: Payout): Promise<ConnectorReply>;
  /** Inquires about a payout; `checks` is how many inquiries were made before in this doubt. */
  inquire(payout: Payout, asked: Readonly<{ checks: number }>): Promise<ConnectorReply>;
  /** `waitedMs` is how long the caller has already waited for an answer. */
  resolveName(account: Account, asked: Readonly<{ waitedMs: number }>): Promise<NameAnswer>;
  /** The balance of our own account with the operator, in the currency of the route. */
  balance?(): Promise<BalanceAnswer>;
  readCallback?(callback: RawCallback): CallbackReading;
  /** Reads a verified callback about a payout like the answer to an inquiry. */
  readAnswer?(callback: Pick<RawCallback, 'method' | 'body'>, payout: Payout): ConnectorReply;
  /** Whether the operator accepts payouts now and within which bounds; read every minute. */
  readConditions?(): Promise<OperatorConditions>;
  predictOperator?(phone: string): Promise<Prediction>;
  /** Asks the operator to cancel a payout. Only a later inquiry shows whether it did. */
  recall?(
    payout: Payout,
    known: Readonly<{ operatorTransactionId: string | null }>,
  ): Promise<ConnectorReply>;
  /** Closes the connector's connections. Requests under way may still finish. */
  close?(): void;
}
