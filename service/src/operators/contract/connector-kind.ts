import type { Static, TSchema } from 'typebox';
import type { Country, Operator } from '../../domain/operator.ts';
import type { CredentialKeeper } from '../credentials/credential-keeper.ts';
import type { Connector } from './connector.ts';

/** How long each kind of question may take. The lease of a transfer outlasts token and submission. */
export type Timeouts = Readonly<{
  tokenMs: number;
  submitMs: number;
  inquireMs: number;
  nameMs: number;
  balanceMs: number;
}>;

/** What a route gives its connector, besides the settings of its own. */
export type ConnectorDeps = Readonly<{
  operator: Operator;
  country: Country;
  timeouts: Timeouts;
  connectionsMax: number;
  /** Where the operator may call us; null: nowhere, and the connector asks by itself. */
  callbackUrl: string | null;
  /** For how long the operator recognises a reference; 0: it is not relied on. */
  referenceMemoryMs: number;
  /** What every wait is multiplied by: 1 with a real operator. Network timeouts are not. */
  timeScale: number;
  now: () => Date;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
  newUuid: () => string;
  /** Where tokens and sessions of this route are kept over a restart. */
  credentials: CredentialKeeper;
}>;

/** How hard an operator may be pressed unless the route says otherwise. */
export type Pressure = Readonly<{
  /** Submissions under way at once. */
  concurrency: number;
  submitsPerSecond: number;
  inquiriesPerSecond: number;
  namesPerSecond: number;
}>;

/** One sort of connector: what its settings are, and how one is made of them. */
export type ConnectorKind<Settings extends TSchema = TSchema> = Readonly<{
  name: string;
  /**
   * Checked at start. A string whose schema says `secret: true` must come from the environment and is
   * never shown.
   */
  settings: Settings;
  /** The pairs it can serve; null: whatever the route says. */
  pairs: readonly Readonly<{ operator: Operator; country: Country }>[] | null;
  pressure: Pressure;
  /** Problems that a schema cannot say, each naming its field; empty when there are none. */
  checkSettings?(settings: Static<Settings>): readonly string[];
  /** The same for settings that do not go with the pair that the route serves. */
  checkPair?(
    settings: Static<Settings>,
    pair: Readonly<{ operator: Operator; country: Country }>,
  ): readonly string[];
  /**
   * The settings that say whose account it is, without secrets and without what may change for the same
   * account. "Not found" proves nothing when it comes from another account than the payout was sent under.
   */
  accountOf(settings: Static<Settings>): readonly string[];
  create(settings: Static<Settings>, deps: ConnectorDeps): Connector;
}>;
