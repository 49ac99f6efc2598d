import type { Country, Operator } from '../../domain/operator.ts';
import type { Mode } from '../../domain/transfer.ts';
import type { AmountBounds, Connector, Payout } from '../contract/connector.ts';
import type { RouteLimiter } from '../limits/route-limiter.ts';

export type Health = 'up' | 'down' | 'unknown';

/** The way to one operator in one country: a connector with its bounds and its limiter. */
export interface Route {
  /** Kept with every transfer that goes this way: the same operator must be asked about it later. */
  readonly name: string;
  /** The sort of its connector: routes of one family may share an account with the operator. */
  readonly family: string;
  readonly connector: Connector;
  /** A fingerprint of the account that the connector has with its operator now. Null: it has none. */
  readonly account: string | null;
  readonly limiter: RouteLimiter;
  /** What its waits are multiplied by: 1 for real operators. The sandbox scales all waiting by it. */
  readonly timeScale: number;
  bounds(): AmountBounds;
  health(): Health;
  /** 0 when the route takes this payout now, else how long it stays closed. */
  closedForMs(payout: Pick<Payout, 'phone' | 'createdAt'>): number;
}

type Pair = Readonly<{ mode: Mode; operator: Operator; country: Country }>;

export interface Routes {
  /** The routes of a pair, the preferred one first. Empty: the pair cannot be paid in this mode. */
  list(pair: Pair): readonly Route[];
  /** The routes of the same pair, without this one. */
  beside(route: Route): readonly Route[];
  /** The route a transfer was given to, also one that takes nothing new any more. */
  named(name: string): Route | undefined;
  /** All there are, also those that take nothing new any more. */
  all(): readonly Route[];
  /** The secret in the path of a route's callbacks. Null: it takes none. */
  callbackTokenOf(name: string): string | null;
}
