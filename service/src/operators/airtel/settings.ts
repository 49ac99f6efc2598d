import { type Static, Type } from 'typebox';
import { baseUrlProblems } from '../wire/base-url.ts';
import { API_VERSIONS, ORDER_TYPES, WALLET_TYPES } from './disbursement-shape.ts';
import { PADDINGS } from './encrypt-pin.ts';
import { readPublicKey } from './public-key.ts';

const USERS_VERSIONS = ['v1', 'v2'] as const;

/** Used if the settings are absent. */
const DEFAULTS = {
  apiVersion: 'v3',
  userEnquiryVersion: 'v1',
  balanceVersion: 'v2',
  pinPadding: 'oaep-sha256-mgf1sha256',
  signRequests: false,
  signingKeyPadding: 'oaep-sha1',
  orderType: 'B2C',
  walletType: 'NORMAL',
  payeeName: 'Customer',
  notFoundIsFinal: false,
  statusDecidesInquiry: false,
  readsTexts: true,
  trustsDuplicates: false,
  unconfirmedSuccessWaitMs: 5_000,
} as const;

/** Less gives a callback no time to arrive; more than a minute only delays the result. */
const UNCONFIRMED_WAIT_MIN_MS = 1_000;
const UNCONFIRMED_WAIT_MAX_MS = 60_000;

function word<const Words extends readonly string[]>(
  words: Words,
  name: keyof typeof DEFAULTS,
  description: string,
) {
  return Type.Optional(
    Type.Unsafe<Words[number]>({
      type: 'string',
      enum: [...words],
      default: DEFAULTS[name],
      description,
    }),
  );
}

function flag(name: keyof typeof DEFAULTS, description: string) {
  return Type.Optional(Type.Boolean({ default: DEFAULTS[name], description }));
}

export const AirtelSettings = Type.Object(
  {
    baseUrl: Type.String({ description: 'Scheme and host of the API for the country.' }),
    clientId: Type.String({ minLength: 1, maxLength: 200 }),
    clientSecret: Type.String({ minLength: 1, maxLength: 200, secret: true }),
    pin: Type.String({
      pattern: '^[0-9]{4}$',
      secret: true,
      description: 'The disbursement PIN.',
    }),
    publicKey: Type.Optional(
      Type.String({
        description: 'SPKI in base64 or PEM; absent: fetched from Airtel and renewed.',
      }),
    ),
    callbackSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        secret: true,
        description:
          'The key of callback authentication; with it, an unsigned callback counts as forged.',
      }),
    ),
    apiVersion: word(API_VERSIONS, 'apiVersion', 'Version of the disbursement API.'),
    userEnquiryVersion: word(USERS_VERSIONS, 'userEnquiryVersion', 'Version of the user enquiry.'),
    balanceVersion: word(USERS_VERSIONS, 'balanceVersion', 'Version of the balance enquiry.'),
    pinPadding: word(PADDINGS, 'pinPadding', 'How the PIN is padded before it is encrypted.'),
    signRequests: flag('signRequests', 'Whether payouts carry x-signature and x-key.'),
    signingKeyPadding: word(PADDINGS, 'signingKeyPadding', 'How the key in x-key is padded.'),
    orderType: word(ORDER_TYPES, 'orderType', 'transaction.type of v2 and v3.'),
    walletType: word(WALLET_TYPES, 'walletType', 'payee.wallet_type of v3.'),
    payeeName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 60,
        default: DEFAULTS.payeeName,
        description: 'payee.name of v2, the same for every payout.',
      }),
    ),
    notFoundIsFinal: flag(
      'notFoundIsFinal',
      'Whether, after a while, "not found" proves that no money moved.',
    ),
    statusDecidesInquiry: flag(
      'statusDecidesInquiry',
      'Whether an inquiry answered with TF and the success code means failed.',
    ),
    readsTexts: flag(
      'readsTexts',
      'Whether human-readable messages are compared with what was sent.',
    ),
    trustsDuplicates: flag(
      'trustsDuplicates',
      'Whether an order that Airtel already has under our id counts as the one just sent.',
    ),
    unconfirmedSuccessWaitMs: Type.Optional(
      Type.Integer({
        minimum: UNCONFIRMED_WAIT_MIN_MS,
        maximum: UNCONFIRMED_WAIT_MAX_MS,
        default: DEFAULTS.unconfirmedSuccessWaitMs,
        description: 'The delay of the next inquiry after a success that reports no amount.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The settings with all defaults filled in. */
export function fillSettings(settings: Static<typeof AirtelSettings>) {
  return { ...DEFAULTS, ...settings };
}

export type FilledSettings = Readonly<ReturnType<typeof fillSettings>>;

export function checkAirtelSettings(settings: Static<typeof AirtelSettings>): readonly string[] {
  const { apiVersion, signRequests, publicKey, baseUrl } = fillSettings(settings);
  const problems = [...baseUrlProblems('baseUrl', baseUrl)];
  if (publicKey !== undefined && readPublicKey(publicKey) === undefined) {
    problems.push('publicKey: must be an RSA key of at least 2048 bits, SPKI in base64 or PEM');
  }
  if (signRequests && apiVersion === 'v1') {
    problems.push('signRequests: must be false with apiVersion v1, which has no signatures');
  }
  return problems;
}
