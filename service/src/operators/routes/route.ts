import type { Country, Operator } from '../../domain/operator.ts';
import type { Mode } from '../../domain/transfer.ts';
import type { AmountBounds, Connector, Payout } from '../contract/connector.ts';
import type { FloatRule } from '../contract/float-rule.ts';
import type { RouteLimiter } from '../limits/route-limiter.ts';

export type Health = 'up' | 'down' | 'unknown';

/** The way to one operator in one country: a connector with its bounds and its limiter. */
export interface Route {
  /** Stored with every transfer of this route, because inquiries must go to the same operator. */
  readonly name: string;
  /** The kind of its connector: routes of one family may share an account with the operator. */
  readonly family: string;
  readonly connector: Connector;
  /** A fingerprint of the connector's current account with its operator. Null: it has none. */
  readonly account: string | null;
  readonly limiter: RouteLimiter;
  /** The factor for its waits: 1 for real operators. The sandbox scales all its waits by it. */
  readonly timeScale: number;
  /** Null: it pays from no account. */
  readonly float: FloatRule | null;
  bounds(): AmountBounds;
  health(): Health;
  /** 0 if the route accepts this payout now, else how long it stays closed. */
  closedForMs(payout: Pick<Payout, 'phone' | 'createdAt'>): number;
}

type Pair = Readonly<{ mode: Mode; operator: Operator; country: Country }>;

export interface Routes {
  /** The routes of a pair, the preferred one first. Empty: the pair cannot be paid in this mode. */
  list(pair: Pair): readonly Route[];
  /** The other routes of the same pair. */
  beside(route: Route): readonly Route[];
  /** The route of this name, even if it accepts nothing new any more. */
  named(name: string): Route | undefined;
  /** All routes, including removed ones that only finish what they have. */
  all(): readonly Route[];
  /** The secret in the path of a route's callbacks. Null: it accepts none. */
  callbackTokenOf(name: string): string | null;
}
