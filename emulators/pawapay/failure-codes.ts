import { refusalCode } from '../kernel/refusal-words.ts';

/** Codes that refuse a request on arrival, each with its HTTP status. */
export const INITIATION_CODES = {
  NO_AUTHENTICATION: 401,
  AUTHENTICATION_ERROR: 403,
  AUTHORISATION_ERROR: 403,
  HTTP_SIGNATURE_ERROR: 403,
  PAYOUTS_NOT_ALLOWED: 403,
  INVALID_INPUT: 400,
  MISSING_PARAMETER: 400,
  UNSUPPORTED_PARAMETER: 400,
  INVALID_PARAMETER: 400,
  DUPLICATE_METADATA_FIELD: 400,
  AMOUNT_OUT_OF_BOUNDS: 200,
  INVALID_AMOUNT: 200,
  INVALID_PHONE_NUMBER: 200,
  INVALID_CURRENCY: 200,
  INVALID_PROVIDER: 200,
  PROVIDER_TEMPORARILY_UNAVAILABLE: 200,
  PAWAPAY_WALLET_OUT_OF_FUNDS: 200,
  NOT_FOUND: 200,
  INVALID_STATE: 200,
  UNKNOWN_ERROR: 500,
} as const;

export type InitiationCode = keyof typeof INITIATION_CODES;

/** Codes under which a payout that was accepted can fail. */
export const FINAL_CODES = [
  'RECIPIENT_NOT_FOUND',
  'WALLET_LIMIT_REACHED',
  'RECIPIENT_LIMIT_REACHED',
  'MANUALLY_CANCELLED',
  'PAWAPAY_WALLET_OUT_OF_FUNDS',
  'UNSPECIFIED_FAILURE',
  'UNKNOWN_ERROR',
] as const;

export type FinalCode = (typeof FINAL_CODES)[number];

const MESSAGES: Readonly<Record<InitiationCode | FinalCode, string>> = {
  NO_AUTHENTICATION: 'The request carries no API token.',
  AUTHENTICATION_ERROR: 'The API token is not valid.',
  AUTHORISATION_ERROR: 'The API token does not allow this call.',
  HTTP_SIGNATURE_ERROR: 'The HTTP signature could not be verified.',
  PAYOUTS_NOT_ALLOWED: 'Payouts are not allowed for this account.',
  INVALID_INPUT: 'The request could not be read.',
  MISSING_PARAMETER: 'A required parameter is missing.',
  UNSUPPORTED_PARAMETER: 'A parameter is not supported.',
  INVALID_PARAMETER: 'A parameter has a value that is not valid.',
  DUPLICATE_METADATA_FIELD: 'A metadata field is there more than once.',
  AMOUNT_OUT_OF_BOUNDS: 'The amount is outside the limits of the provider.',
  INVALID_AMOUNT: 'The amount is not written as the provider needs it.',
  INVALID_PHONE_NUMBER: 'The phone number seems to be invalid for the provider.',
  INVALID_CURRENCY: 'The provider does not support the currency.',
  INVALID_PROVIDER: 'The provider is not known or not enabled for this account.',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'The provider is not available now.',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'The wallet does not hold enough for this payout.',
  NOT_FOUND: 'No payout has this id.',
  INVALID_STATE: 'The payout is not in a state that allows this.',
  UNKNOWN_ERROR: 'Unable to process request due to an unknown problem.',
  RECIPIENT_NOT_FOUND: 'The phone number does not belong to a customer of the provider.',
  WALLET_LIMIT_REACHED: 'The wallet of the recipient cannot take this amount.',
  RECIPIENT_LIMIT_REACHED: 'The recipient has reached a limit of the provider.',
  MANUALLY_CANCELLED: 'The payout was cancelled while it was enqueued.',
  UNSPECIFIED_FAILURE: 'The provider did not say why the payout failed.',
};

export type FailureReason = Readonly<{ failureCode: string; failureMessage: string }>;

export function failureReason(code: InitiationCode | FinalCode, message?: string): FailureReason {
  return { failureCode: code, failureMessage: message ?? MESSAGES[code] };
}

/** A refusal on arrival. Thrown by the code that reads requests, and answered in one place. */
export class Rejection extends Error {
  readonly code: InitiationCode;

  constructor(code: InitiationCode, message?: string) {
    super(message ?? MESSAGES[code]);
    this.name = 'Rejection';
    this.code = code;
  }
}

/** How a payout that is not executed ends: refused on arrival, or accepted and failed later. */
type Refusal =
  | Readonly<{ at: 'arrival'; code: InitiationCode }>
  | Readonly<{ at: 'end'; code: FinalCode }>;

function isInitiationCode(code: string): code is InitiationCode {
  return Object.hasOwn(INITIATION_CODES, code);
}

function isFinalCode(code: string): code is FinalCode {
  return FINAL_CODES.some((known) => known === code);
}

const REFUSAL = /^(?:(REJECTED|FAILED):)?([A-Z_]+)$/;

const CODES_OF_WORDS = {
  'recipient-not-found': 'RECIPIENT_NOT_FOUND',
  'recipient-limit': 'WALLET_LIMIT_REACHED',
  'float-insufficient': 'REJECTED:PAWAPAY_WALLET_OUT_OF_FUNDS',
  declined: 'UNSPECIFIED_FAILURE',
} as const;

/**
 * Reads the refusal of a behaviour. Two codes are in both lists; without a prefix they mean the end of
 * an accepted payout. The prefix `REJECTED:` or `FAILED:` names the list.
 */
export function readRefusal(refusal: string): Refusal {
  const [, list, code = ''] = REFUSAL.exec(refusalCode(refusal, CODES_OF_WORDS)) ?? [];
  if (list !== 'REJECTED' && isFinalCode(code)) return { at: 'end', code };
  if (list !== 'FAILED' && isInitiationCode(code)) return { at: 'arrival', code };
  throw new RangeError(`pawaPay has no failure code ${refusal}`);
}
