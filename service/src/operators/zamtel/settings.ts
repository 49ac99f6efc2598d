import { type Static, Type } from 'typebox';
import { baseUrlProblems } from '../wire/base-url.ts';

const PRODUCTION_BASE_URL = 'https://apps.zamtel.co.zm/ZampayRestProd';
const AMOUNT_DECIMALS = 2;
/** Printable ASCII; it is sent percent-encoded in a query string. */
const PARAMETER = '^[ -~]{1,1024}$';

export const ZamtelSettings = Type.Object(
  {
    baseUrl: Type.Optional(
      Type.String({
        default: PRODUCTION_BASE_URL,
        description: 'Scheme, host and path of the facade, without /B2CReq.',
      }),
    ),
    thirdPartyId: Type.String({ pattern: PARAMETER, description: 'ThirdPartyID.' }),
    password: Type.String({
      secret: true,
      pattern: PARAMETER,
      description: 'Password, encrypted by Zamtel: the base64 text as it was issued.',
    }),
    shortcode: Type.String({ pattern: PARAMETER, description: 'Shortcode of our organisation.' }),
    identifier: Type.String({ pattern: PARAMETER, description: 'The operator who initiates.' }),
    credential: Type.String({
      secret: true,
      pattern: PARAMETER,
      description: "The initiator's credential: the base64 text as it was issued.",
    }),
    amountDecimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 2,
        default: AMOUNT_DECIMALS,
        description: 'How many decimals Zamtel accepts.',
      }),
    ),
    successNeedsTransactionId: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether status 0 without a TransactionId leaves the payout in doubt.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The settings with all defaults filled in. */
export type ZamtelTerms = Required<Static<typeof ZamtelSettings>>;

export function zamtelTerms(settings: Static<typeof ZamtelSettings>): ZamtelTerms {
  return {
    ...settings,
    baseUrl: settings.baseUrl ?? PRODUCTION_BASE_URL,
    amountDecimals: settings.amountDecimals ?? AMOUNT_DECIMALS,
    successNeedsTransactionId: settings.successNeedsTransactionId ?? true,
  };
}

export function checkZamtelSettings(settings: Static<typeof ZamtelSettings>): readonly string[] {
  return baseUrlProblems('baseUrl', settings.baseUrl ?? PRODUCTION_BASE_URL);
}
