import { type Static, Type } from 'typebox';
import { baseUrlProblems } from '../wire/base-url.ts';
import { isKeyFor, readPrivateKey, readPublicKey } from './http-signature.ts';

/** Defaults: the documented value or, if there is none, the careful one. */
const PAWAPAY_DEFAULTS = {
  signingAlgorithm: 'ecdsa-p256-sha256',
  signingDigest: 'sha-512',
  callbackSignatures: 'optional',
  signedCallbacksAreFinal: false,
  notFoundIsFinal: true,
} as const;

const PEM_LENGTH_MAX = 8_000;
const KEY_ID = { pattern: '^[!#-\\[\\]-~]{1,100}$' };

export const PawapaySettings = Type.Object(
  {
    baseUrl: Type.String({
      maxLength: 200,
      examples: ['https://api.sandbox.pawapay.io', 'https://api.pawapay.io'],
    }),
    apiToken: Type.String({ pattern: '^[!-~]{8,4000}$', secret: true }),
    provider: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9_]{3,40}$',
        description: 'Replaces the provider of the pair.',
      }),
    ),
    signingKeyId: Type.Optional(Type.String(KEY_ID)),
    signingPrivateKey: Type.Optional(
      Type.String({ maxLength: PEM_LENGTH_MAX, secret: true, description: 'PEM.' }),
    ),
    signingAlgorithm: Type.Optional(
      Type.Union(
        [
          Type.Literal('ecdsa-p256-sha256'),
          Type.Literal('ecdsa-p384-sha384'),
          Type.Literal('rsa-v1_5-sha256'),
          Type.Literal('rsa-pss-sha512'),
        ],
        { default: PAWAPAY_DEFAULTS.signingAlgorithm },
      ),
    ),
    signingDigest: Type.Optional(
      Type.Union([Type.Literal('sha-256'), Type.Literal('sha-512')], {
        default: PAWAPAY_DEFAULTS.signingDigest,
      }),
    ),
    callbackSignatures: Type.Optional(
      Type.Union([Type.Literal('required'), Type.Literal('optional')], {
        default: PAWAPAY_DEFAULTS.callbackSignatures,
      }),
    ),
    callbackKeys: Type.Optional(
      Type.Array(
        Type.Object(
          { id: Type.String(KEY_ID), key: Type.String({ maxLength: PEM_LENGTH_MAX }) },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: 10, description: 'Public keys in PEM; without them, fetched.' },
      ),
    ),
    signedCallbacksAreFinal: Type.Optional(
      Type.Boolean({
        default: PAWAPAY_DEFAULTS.signedCallbacksAreFinal,
        description: 'Ends payouts without an inquiry; `callbackSignatures` must be `required`.',
      }),
    ),
    notFoundIsFinal: Type.Optional(Type.Boolean({ default: PAWAPAY_DEFAULTS.notFoundIsFinal })),
  },
  { additionalProperties: false },
);

export type PawapaySettings = Static<typeof PawapaySettings>;
/** The settings with all defaults filled in. */
export type PawapayOptions = PawapaySettings &
  Required<Pick<PawapaySettings, keyof typeof PAWAPAY_DEFAULTS>>;

export function fillPawapaySettings(settings: PawapaySettings): PawapayOptions {
  return { ...PAWAPAY_DEFAULTS, ...settings };
}

export function checkPawapaySettings(settings: PawapaySettings): readonly string[] {
  const problems = [...baseUrlProblems('baseUrl', settings.baseUrl), ...checkSigning(settings)];
  for (const { id, key } of settings.callbackKeys ?? []) {
    if (readPublicKey(key) === undefined) problems.push(`callbackKeys: ${id} is not a public key`);
  }
  const { signedCallbacksAreFinal, callbackSignatures } = fillPawapaySettings(settings);
  if (signedCallbacksAreFinal && callbackSignatures !== 'required') {
    problems.push('signedCallbacksAreFinal: callbackSignatures must be "required" for it');
  }
  return problems;
}

function checkSigning(settings: PawapaySettings): readonly string[] {
  const { signingKeyId, signingPrivateKey } = settings;
  if (signingKeyId === undefined && signingPrivateKey === undefined) return [];
  if (signingPrivateKey === undefined) return ['signingPrivateKey: signingKeyId needs it'];
  if (signingKeyId === undefined) return ['signingKeyId: signingPrivateKey needs it'];
  const key = readPrivateKey(signingPrivateKey);
  if (key === undefined) return ['signingPrivateKey: is not a private key'];
  const { signingAlgorithm } = fillPawapaySettings(settings);
  return isKeyFor(key, signingAlgorithm)
    ? []
    : [`signingAlgorithm: ${signingAlgorithm} needs another kind of key`];
}
