import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { baseUrlProblems } from '../wire/base-url.ts';

const MINUTE_MS = 60_000;

/** Defaults: the documented value or, if there is none, the careful one. */
const VODACOM_DEFAULTS = {
  baseUrl: 'https://openapi.m-pesa.com',
  origin: '*',
  flow: 'sync',
  payoutPath: 'b2cPayment/',
  statusMethod: 'GET',
  sessionLifetimeMs: 60 * MINUTE_MS,
  sessionActivationMs: 30_000,
  sessionsOverlap: true,
  notFoundIsFinal: false,
  resolvesNames: true,
  trustsDuplicates: false,
} as const;

export const VodacomSettings = Type.Object(
  {
    baseUrl: Type.Optional(Type.String({ maxLength: 200, default: VODACOM_DEFAULTS.baseUrl })),
    environment: Type.Union([Type.Literal('sandbox'), Type.Literal('production')], {
      description: 'Decides the first part of every path; each has a public key of its own.',
    }),
    market: Type.String({ pattern: '^[A-Za-z]{3,32}$', examples: ['vodacomTZN'] }),
    country: Type.String({ pattern: '^[A-Z]{2,3}$', examples: ['TZN'] }),
    currency: Type.Union([Type.Literal('ZMW'), Type.Literal('NGN')], {
      description: 'The currency of the market. It must be the one that the route pays in.',
    }),
    serviceProviderCode: Type.String({ pattern: '^[0-9A-Za-z]{4,12}$' }),
    apiKey: Type.String({ minLength: 8, maxLength: 200, secret: true }),
    publicKey: Type.String({
      minLength: 100,
      maxLength: 4_000,
      description: 'The public key of the portal: base64 as it is shown there, or PEM.',
    }),
    origin: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,200}$', default: VODACOM_DEFAULTS.origin }),
    ),
    flow: Type.Optional(
      Type.Union([Type.Literal('sync'), Type.Literal('async')], { default: VODACOM_DEFAULTS.flow }),
    ),
    payoutPath: Type.Optional(
      Type.Union([Type.Literal('b2cPayment/'), Type.Literal('b2cPayment/singleStage/')], {
        default: VODACOM_DEFAULTS.payoutPath,
      }),
    ),
    statusMethod: Type.Optional(
      Type.Union([Type.Literal('GET'), Type.Literal('POST')], {
        default: VODACOM_DEFAULTS.statusMethod,
      }),
    ),
    sessionLifetimeMs: Type.Optional(
      Type.Integer({
        minimum: 1_000,
        maximum: 24 * 60 * MINUTE_MS,
        default: VODACOM_DEFAULTS.sessionLifetimeMs,
      }),
    ),
    sessionActivationMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 5 * MINUTE_MS,
        default: VODACOM_DEFAULTS.sessionActivationMs,
        description:
          'How long a new session takes to become live; nothing is sent under it before.',
      }),
    ),
    sessionsOverlap: Type.Optional(Type.Boolean({ default: VODACOM_DEFAULTS.sessionsOverlap })),
    notFoundIsFinal: Type.Optional(Type.Boolean({ default: VODACOM_DEFAULTS.notFoundIsFinal })),
    resolvesNames: Type.Optional(Type.Boolean({ default: VODACOM_DEFAULTS.resolvesNames })),
    trustsDuplicates: Type.Optional(
      Type.Boolean({
        default: VODACOM_DEFAULTS.trustsDuplicates,
        description:
          'Whether a payout that M-Pesa already has under our reference counts as the one just sent.',
      }),
    ),
  },
  { additionalProperties: false },
);

export type VodacomSettings = Static<typeof VodacomSettings>;
/** The settings with all defaults filled in. */
export type VodacomOptions = Required<VodacomSettings>;

export function fillVodacomSettings(settings: VodacomSettings): VodacomOptions {
  return { ...VODACOM_DEFAULTS, ...settings };
}

const RSA_BITS_MIN = 2_048;
/** The bytes of a block that PKCS#1 v1.5 needs for itself. */
const PKCS1_OVERHEAD_BYTES = 11;

export function checkVodacomSettings(settings: VodacomSettings): readonly string[] {
  const { baseUrl, sessionLifetimeMs, sessionActivationMs } = fillVodacomSettings(settings);
  const problems = [...baseUrlProblems('baseUrl', baseUrl)];
  if (sessionLifetimeMs < 2 * sessionActivationMs) {
    problems.push('sessionLifetimeMs: must be at least twice sessionActivationMs');
  }
  const key = readPortalKey(settings.publicKey);
  if (key === undefined)
    problems.push(`publicKey: is not an RSA key of ${RSA_BITS_MIN} bits or more`);
  else if (Buffer.byteLength(settings.apiKey) > plaintextBytesMax(key)) {
    problems.push('apiKey: is too long for publicKey');
  }
  return problems;
}

/** The portal shows the key as bare base64; people also paste it as PEM. */
export function readPortalKey(text: string): KeyObject | undefined {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    const isStrong = (key.asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN;
    return key.asymmetricKeyType === 'rsa' && isStrong ? key : undefined;
  } catch {
    return undefined;
  }
}

function plaintextBytesMax(key: KeyObject): number {
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8 - PKCS1_OVERHEAD_BYTES;
}
