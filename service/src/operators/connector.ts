import type { Currency } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Outcome } from '../domain/outcome.ts';

/** What an operator's API can do; the dispatcher decides by these, never by the operator's name. */
type Abilities = Readonly<{
  /** The operator refuses a reference that it has seen. */
  deduplicates: boolean;
  /** The state of a payout can be asked for by our reference. */
  inquires: boolean;
  /** After a while, "no such reference" proves that no money moved. */
  notFoundIsFinal: boolean;
  resolvesNames: boolean;
}>;

/** What a connector needs to know of a transfer, and no more. */
export type Payout = Readonly<{
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

export type NameAnswer =
  | Readonly<{ kind: 'resolved'; accountName: string }>
  | Readonly<{ kind: 'noAccount' }>
  | Readonly<{ kind: 'unreachable'; cause: string }>;

/** Connectors never throw: whatever happens on the wire is one of the outcomes. */
export interface Connector {
  readonly abilities: Abilities;
  submit(payout: Payout): Promise<Outcome>;
  /** Asks what became of a payout; `checks` is how often it was asked before in this doubt. */
  inquire(payout: Payout, asked: Readonly<{ checks: number }>): Promise<Outcome>;
  /** `waitedMs` is how long the caller has already been waiting for an answer. */
  resolveName(account: Account, asked: Readonly<{ waitedMs: number }>): Promise<NameAnswer>;
}

type AmountBounds = Readonly<{ minMinor: bigint; maxMinor: bigint; decimals: number }>;
type Health = 'up' | 'down' | 'unknown';

/** The way to one operator in one country: a connector with its bounds. */
export interface Route {
  readonly name: string;
  readonly connector: Connector;
  readonly bounds: AmountBounds;
  /** How fast its time runs: 1 for real operators. The sandbox scales all waiting by it. */
  readonly pace: number;
  health(): Health;
  /** 0 when the route takes this payout now, else how long it stays closed. */
  closedForMs(payout: Pick<Payout, 'phone' | 'createdAt'>): number;
}

export interface Routes {
  /** Undefined: the pair has no route in this mode. */
  find(
    wanted: Readonly<{ mode: 'test' | 'live'; operator: Operator; country: Country }>,
  ): Route | undefined;
}
