import type { KeyObject } from 'node:crypto';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { type PawapayCredentials, privateKeyOf, publicKeyOf } from './credentials.ts';
import type { EnqueuedPayouts } from './enqueued-payouts.ts';
import {
  type Availability,
  type AvailabilityStatus,
  DEFAULT_PROVIDERS,
  type Provider,
} from './providers.ts';
import type { MessageSigner } from './signatures/sign-message.ts';
import type { EcdsaEncoding } from './signatures/signature-algorithms.ts';

/** The configuration of the account, with options for what the documentation does not specify. */
export type AccountOptions = Readonly<{
  companyName?: string;
  providers?: readonly Provider[];
  /** The initial availability of providers; others are operational. */
  availability?: Availability;
  /** The callback URL for payouts in the dashboard; without it no callbacks are sent. */
  callbackUrl?: string;
  signedRequestsOnly?: boolean;
  signedCallbacks?: boolean;
  /** The encoding of callback signatures; default DER, as in pawaPay's samples. */
  callbackEncoding?: EcdsaEncoding;
  /** The encodings of ECDSA signatures accepted from the merchant; default DER only. */
  requestEncodings?: readonly EcdsaEncoding[];
  /** The public host, when a proxy is in between; default: the Host header. */
  publicAuthority?: string;
  /** Two versions of the documentation differ. */
  authenticationErrorStatus?: 401 | 403;
  signatureErrorStatus?: 401 | 403;
  payoutsAllowed?: boolean;
  /** Whether the numbers of pawaPay's sandbox decide how payouts to them end. */
  usesSandboxNumbers?: boolean;
  /** The shortest time from acceptance to the end, before `timeScale`. */
  processingMs?: number;
  /** How long after acceptance a query still says NOT_FOUND, before `timeScale`. */
  notFoundMs?: number;
}>;

/** The state of the account while the emulator runs. */
export type MerchantAccount = Readonly<
  Required<Omit<AccountOptions, 'callbackUrl' | 'availability'>>
> & {
  readonly credentials: PawapayCredentials;
  readonly requestKeys: ReadonlyMap<string, KeyObject>;
  readonly callbackSigner: MessageSigner;
  readonly enqueued: EnqueuedPayouts;
  readonly availability: Map<string, AvailabilityStatus>;
  callbackUrl: string | null;
  /** The context of the last request; null before the first. */
  context: EmulatorContext | null;
  closed: boolean;
};

const PROCESSING_MS_DEFAULT = 1_000;

const DEFAULTS = {
  companyName: 'Kafue',
  providers: DEFAULT_PROVIDERS,
  signedRequestsOnly: false,
  signedCallbacks: false,
  callbackEncoding: 'der',
  requestEncodings: ['der'],
  publicAuthority: '',
  authenticationErrorStatus: 403,
  signatureErrorStatus: 403,
  payoutsAllowed: true,
  usesSandboxNumbers: false,
  processingMs: PROCESSING_MS_DEFAULT,
  notFoundMs: 0,
} as const satisfies Required<Omit<AccountOptions, 'callbackUrl' | 'availability'>>;

export function openAccount(
  options: AccountOptions,
  parts: Pick<MerchantAccount, 'credentials' | 'enqueued'>,
): MerchantAccount {
  const { callbackUrl = null, availability = {}, ...chosen } = options;
  const { requestKey, callbackKey } = parts.credentials;
  const { callbackEncoding = DEFAULTS.callbackEncoding } = options;
  return {
    ...DEFAULTS,
    ...chosen,
    ...parts,
    requestKeys: new Map([[requestKey.keyId, publicKeyOf(requestKey)]]),
    callbackSigner: {
      keyId: callbackKey.keyId,
      privateKey: privateKeyOf(callbackKey),
      algorithm: callbackKey.algorithm,
      encoding: callbackEncoding,
      digest: 'sha-512',
    },
    availability: new Map(Object.entries(availability)),
    callbackUrl: callbackUrl === null ? null : checkUrl(callbackUrl),
    context: null,
    closed: false,
  };
}

/** Checked early, because a callback to an invalid URL would fail silently. */
export function checkUrl(url: string): string {
  if (!URL.canParse(url)) throw new TypeError(`${url} is not a URL`);
  return url;
}

export function statusOfProvider(
  { availability }: Pick<MerchantAccount, 'availability'>,
  { provider }: Provider,
): AvailabilityStatus {
  return availability.get(provider) ?? 'OPERATIONAL';
}
