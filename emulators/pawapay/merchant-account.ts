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

/** How pawaPay has set the account up. What the documentation leaves open can be chosen here. */
export type AccountOptions = Readonly<{
  companyName?: string;
  providers?: readonly Provider[];
  /** How well providers work in the beginning; those that are not named are operational. */
  availability?: Availability;
  /** Where the dashboard says that callbacks of payouts go; none are sent without it. */
  callbackUrl?: string;
  signedRequestsOnly?: boolean;
  signedCallbacks?: boolean;
  /** How the signatures of callbacks are written: DER as in pawaPay's samples, unless told. */
  callbackEncoding?: EcdsaEncoding;
  /** Which forms of ECDSA signatures are taken from the merchant: DER alone, unless told. */
  requestEncodings?: readonly EcdsaEncoding[];
  /** The host that callers know, when there is a proxy in between; else the Host header counts. */
  publicAuthority?: string;
  /** Two versions of the documentation differ. */
  authenticationErrorStatus?: 401 | 403;
  signatureErrorStatus?: 401 | 403;
  payoutsAllowed?: boolean;
  /** The numbers of pawaPay's sandbox decide how payouts to them end. */
  usesSandboxNumbers?: boolean;
  /** The shortest time from acceptance to the end, before `pace`. */
  processingMs?: number;
  /** How long after acceptance a query still says NOT_FOUND, before `pace`. */
  notFoundMs?: number;
}>;

/** The account while the emulator runs. */
export type MerchantAccount = Readonly<
  Required<Omit<AccountOptions, 'callbackUrl' | 'availability'>>
> & {
  readonly credentials: PawapayCredentials;
  readonly requestKeys: ReadonlyMap<string, KeyObject>;
  readonly callbackSigner: MessageSigner;
  readonly enqueued: EnqueuedPayouts;
  readonly availability: Map<string, AvailabilityStatus>;
  callbackUrl: string | null;
  /** Of the last request; null until there was one. */
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

/** A callback cannot be sent to what is not a URL, and nobody would hear of that. */
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
