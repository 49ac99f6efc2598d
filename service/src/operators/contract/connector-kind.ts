import type { Static, TSchema } from 'typebox';
import type { Country, Operator } from '../../domain/operator.ts';
import type { CredentialStore } from '../credentials/credential-store.ts';
import type { Connector } from './connector.ts';

/** The timeout of each kind of request. The lease of a transfer is longer than token and submission together. */
export type Timeouts = Readonly<{
  tokenMs: number;
  submitMs: number;
  inquireMs: number;
  nameMs: number;
  balanceMs: number;
}>;

/** What a route gives its connector, besides the connector's settings. */
export type ConnectorDeps = Readonly<{
  operator: Operator;
  country: Country;
  timeouts: Timeouts;
  connectionsMax: number;
  /** Where the operator may call us. Null means nowhere: the connector relies on inquiries. */
  callbackUrl: string | null;
  /** How long the operator recognises a reference; 0 means that this is not relied on. */
  referenceMemoryMs: number;
  /** The factor for every wait: 1 with a real operator. Network timeouts are not scaled. */
  timeScale: number;
  now: () => Date;
  monotonicMs: () => number;
  wait: (ms: number) => Promise<void>;
  newUuid: () => string;
  /** Stores the tokens and sessions of this route across restarts. */
  credentials: CredentialStore;
}>;

/** The load that an operator accepts unless the route says otherwise. */
export type OperatorLimits = Readonly<{
  /** Submissions under way at once. */
  concurrency: number;
  submitsPerSecond: number;
  inquiriesPerSecond: number;
  namesPerSecond: number;
}>;

/** One kind of connector: its settings, and how to create a connector from them. */
export type ConnectorKind<Settings extends TSchema = TSchema> = Readonly<{
  name: string;
  /** Checked at start. A string whose schema says `secret: true` must come from the environment and is never shown. */
  settings: Settings;
  /** The pairs of operator and country that it can serve; null means that the route decides. */
  pairs: readonly Readonly<{ operator: Operator; country: Country }>[] | null;
  operatorLimits: OperatorLimits;
  /** Problems that a schema cannot express, each naming its field; empty if there are none. */
  checkSettings?(settings: Static<Settings>): readonly string[];
  /** The same for settings that do not fit the pair that the route serves. */
  checkPair?(
    settings: Static<Settings>,
    pair: Readonly<{ operator: Operator; country: Country }>,
  ): readonly string[];
  /**
   * The settings that identify the account, without secrets and without settings that may change for the same account.
   * "Not found" proves nothing if it comes from another account than the payout was sent under.
   */
  accountOf(settings: Static<Settings>): readonly string[];
  create(settings: Static<Settings>, deps: ConnectorDeps): Connector;
}>;
