import type { KeyObject } from 'node:crypto';
import type { AccessTokens } from './access-tokens.ts';
import type { Padding } from './unseal.ts';

export type AirtelCredentials = Readonly<{
  clientId: string;
  clientSecret: string;
  /** The PIN of the paying wallet: four digits. */
  pin: string;
  /** The key of callback authentication, as shown in the application's settings. */
  callbackPrivateKey: string;
}>;

export type AirtelVersion = 'v1' | 'v2' | 'v3';

/** The configuration of the application, with options for what the operator's documents do not specify. */
export type AirtelSettings = Readonly<{
  versions: readonly AirtelVersion[];
  /** Where the application may pay; other countries are recognised and refused. */
  countries: readonly ('ZM' | 'NG')[];
  /** Whether v2 and v3 require message signing. */
  signing: boolean;
  signatureMismatchCode: 'DP00900001016' | 'DP00900001018';
  /** Accepted paddings of PINs and of `x-key`; others fail to decrypt. */
  paddings: readonly Padding[];
  products: Readonly<{ disbursement: boolean; userEnquiry: boolean; balance: boolean }>;
  tokenLifetimeSeconds: number;
  /** The documents show a string; some gateways send a number. */
  expiresInAs: 'string' | 'number';
  /** The status of refusals by the wallet. They have `success: false` with either. */
  refusalHttpStatus: 200 | 400;
  routerErrorsAs: 'status' | 'gateway';
  /** The status word for a payout that has not ended. */
  pendingAs: 'TIP' | 'TA';
  amountMinMinor: bigint;
  amountMaxMinor: bigint;
  /** The same amount to the same number within this time is refused as similar; 0: never. Multiplied by the time scale. */
  similarWithinMs: number;
  /** User enquiry returns the phone number as a JSON number. */
  msisdnAsNumber: boolean;
  /** Numbers with this ending belong to barred users, in user enquiry. */
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

/** Calls whose answers can be set to a code. Payouts are not among them: they have behaviours. */
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

/** When an amount was last sent to a number, and under which id. */
type RecentPayouts = Map<string, Readonly<{ id: string; atMs: number }>>;
