import type { KeyObject } from 'node:crypto';
import type { AccessTokens } from './access-tokens.ts';
import type { Padding } from './unseal.ts';

export type AirtelCredentials = Readonly<{
  clientId: string;
  clientSecret: string;
  /** Of the wallet that pays: four digits. */
  pin: string;
  /** The key of callback authentication, as the application's settings show it. */
  callbackPrivateKey: string;
}>;

export type AirtelVersion = 'v1' | 'v2' | 'v3';

/** What the application was set up with, and what the operator's documents leave open. */
export type AirtelSettings = Readonly<{
  versions: readonly AirtelVersion[];
  /** Where the application may pay: the others are known, and not allowed. */
  countries: readonly ('ZM' | 'NG')[];
  /** Message signing, of v2 and v3. */
  signing: boolean;
  signatureMismatchCode: 'DP00900001016' | 'DP00900001018';
  /** Of PINs and of `x-key`; all others cannot be decrypted. */
  paddings: readonly Padding[];
  products: Readonly<{ disbursement: boolean; userEnquiry: boolean; balance: boolean }>;
  tokenLifetimeSeconds: number;
  /** The documents have a string, some gateways a number. */
  expiresInAs: 'string' | 'number';
  /** Of refusals that come from the wallet, which say `success: false` whatever the status. */
  refusalHttpStatus: 200 | 400;
  routerErrorsAs: 'status' | 'gateway';
  /** What a payout that has not ended is called. */
  pendingAs: 'TIP' | 'TA';
  amountMinMinor: bigint;
  amountMaxMinor: bigint;
  /** The same amount to the same number within it is similar; 0: never. Multiplied by the pace. */
  similarWithinMs: number;
  /** User enquiry gives the number without quotes. */
  msisdnAsNumber: boolean;
  /** Numbers of barred users, in user enquiry. */
  barredSuffix: string;
  callback: Readonly<{
    /** False: callbacks come without `hash`. */
    authenticated: boolean;
    hashCovers: 'body' | 'transaction';
    hashIn: 'body' | 'header';
  }>;
}>;

export const AIRTEL_SETTINGS_DEFAULT: AirtelSettings = {
  versions: ['v1', 'v2', 'v3'],
  countries: ['ZM', 'NG'],
  signing: false,
  signatureMismatchCode: 'DP00900001016',
  paddings: ['pkcs1', 'oaep-sha1', 'oaep-sha256-mgf1sha1', 'oaep-sha256-mgf1sha256'],
  products: { disbursement: true, userEnquiry: true, balance: true },
  tokenLifetimeSeconds: 180,
  expiresInAs: 'string',
  refusalHttpStatus: 200,
  routerErrorsAs: 'status',
  pendingAs: 'TIP',
  amountMinMinor: 1n,
  amountMaxMinor: 100_000_000_000n,
  similarWithinMs: 0,
  msisdnAsNumber: false,
  barredSuffix: '903',
  callback: { authenticated: true, hashCovers: 'body', hashIn: 'body' },
};

/** Calls whose next answers can be set to a code, payouts apart: those have behaviours. */
export type AirtelCall = 'keys' | 'enquiry' | 'users' | 'balance';

export type AirtelState = {
  readonly settings: AirtelSettings;
  readonly credentials: AirtelCredentials;
  readonly tokens: AccessTokens;
  readonly now: () => number;
  readonly forcedCodes: Map<AirtelCall, string>;
  readonly recentPayouts: RecentPayouts;
  encryptionKey: EncryptionKey;
  callbackUrl: string | null;
};

export type EncryptionKey = Readonly<{ id: string; privateKey: KeyObject; validUpToMs: number }>;

/** When the same amount last went to the same number, and under which id. */
type RecentPayouts = Map<string, Readonly<{ id: string; atMs: number }>>;
