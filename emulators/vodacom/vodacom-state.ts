import type { KeyObject } from 'node:crypto';
import type { PayoutIndex } from './payout-index.ts';
import type { Reversals } from './reversals.ts';
import type { Sessions } from './sessions.ts';

export type Market = Readonly<{ name: string; country: string; currency: string }>;

/** The operator's markets, and two that do not exist: its protocol in Zambia and Nigeria. */
export const MARKETS = {
  ghana: { name: 'vodafoneGHA', country: 'GHA', currency: 'GHS' },
  tanzania: { name: 'vodacomTZN', country: 'TZN', currency: 'TZS' },
  lesotho: { name: 'vodacomLES', country: 'LES', currency: 'LSL' },
  congo: { name: 'vodacomDRC', country: 'DRC', currency: 'USD' },
  mozambique: { name: 'vodacomMOZ', country: 'MOZ', currency: 'MZN' },
  pretendedZambia: { name: 'vodacomZMB', country: 'ZMB', currency: 'ZMW' },
  pretendedNigeria: { name: 'vodacomNGA', country: 'NGA', currency: 'NGN' },
} as const satisfies Record<string, Market>;

export type VodacomCredentials = Readonly<{
  apiKey: string;
  /** Base64 of the SPKI, as the portal shows it. */
  publicKey: string;
  /** The organisation that pays. */
  serviceProviderCode: string;
}>;

/** The configuration of the application, with options for what the operator's documents do not specify. */
export type VodacomSettings = Readonly<{
  context: 'sandbox' | 'openapi';
  /** The only market that this application may use. */
  market: Market;
  /** Documented: `b2cPayment/`. Many clients call `b2cPayment/singleStage/`. */
  b2cPaths: readonly string[];
  /** Set per application. `sync` answers a payout with its end; `async` posts the end later. */
  flow: 'sync' | 'async';
  /** `*`, or the origins that may call. */
  trustedSources: readonly string[];
  /** From a session's creation until it can be used. Multiplied by the time scale. */
  sessionActivationMs: number;
  /** In real time, not multiplied by the time scale. */
  sessionLifetimeMs: number;
  /** The status of calls with an invalid session, which the documents do not specify. */
  sessionRefusedStatus: 400 | 401;
  /** The shortest duration of the asynchronous flow. Multiplied by the time scale. */
  asyncPendingMs: number;
  /** `INS-0`, or the plain `0` that some markets send. */
  resultCodesAs: 'INS-0' | '0';
  /** The status words of queries for a pending and for a failed payout. */
  pendingWord: 'Pending' | 'In Progress' | 'N/A';
  failedWord: 'Failed' | 'Cancelled' | 'Expired';
}>;

export const VODACOM_SETTINGS_DEFAULT: VodacomSettings = {
  context: 'sandbox',
  market: MARKETS.pretendedZambia,
  b2cPaths: ['b2cPayment/'],
  flow: 'sync',
  trustedSources: ['*'],
  sessionActivationMs: 30_000,
  sessionLifetimeMs: 3_600_000,
  sessionRefusedStatus: 401,
  asyncPendingMs: 1_000,
  resultCodesAs: 'INS-0',
  pendingWord: 'Pending',
  failedWord: 'Failed',
};

/** Calls whose answers can be set to a code. Payouts are not among them: they have behaviours. */
export type VodacomCall = 'session' | 'query' | 'name' | 'reversal';

/** The receiver's answer to a posted result. */
export type Acknowledgement = Readonly<{
  thirdPartyConversationId: string;
  accepted: boolean;
  why: string | null;
}>;

export type VodacomState = {
  readonly settings: VodacomSettings;
  readonly credentials: VodacomCredentials;
  readonly privateKey: KeyObject;
  readonly sessions: Sessions;
  readonly index: PayoutIndex;
  readonly reversals: Reversals;
  readonly forcedCodes: Map<VodacomCall, string>;
  readonly acknowledge: (acknowledgement: Acknowledgement) => void;
  /** Where asynchronous results go, as configured at onboarding. */
  responseUrl: string | null;
};
