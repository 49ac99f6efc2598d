import type { RefusalWord } from '../kernel/refusal-words.ts';

/**
 * `paid`, `failed`: the payout ended. `open`: the operator has it, and only an enquiry shows its end.
 * `rejected`: the request was refused on arrival, and no enquiry finds it.
 */
type CodeKind = 'paid' | 'failed' | 'open' | 'rejected';

export type CodeFacts = Readonly<{
  kind: CodeKind;
  message: string;
  /** The code of the older scheme that is sent with it. */
  resultCode: string;
  /** Set where a code has its own HTTP status; else the status for refusals applies. */
  httpStatus?: number;
  /** The `transaction.status` sent with it, where it is not the kind's usual one. */
  transactionStatus?: 'TA' | 'TIP';
}>;

const FAILED = 'ESB000011';
const FIELDS = 'ESB000008';
const COUNTRY = 'ESB000034';
const CURRENCY = 'ESB000035';
const VENDOR = 'ESB000039';

function failed(message: string, resultCode: string = FAILED): CodeFacts {
  return { kind: 'failed', message, resultCode };
}

function rejected(message: string, rest: Partial<CodeFacts> = {}): CodeFacts {
  return { kind: 'rejected', message, resultCode: FAILED, ...rest };
}

function router(message: string, resultCode: string): CodeFacts {
  return { kind: 'rejected', message, resultCode, httpStatus: 400 };
}

const SIGNATURE = rejected('Forbidden: X-signature and payload did not match', { httpStatus: 403 });

const CODES = {
  DP00900001000: {
    kind: 'open',
    message: 'Transaction is ambiguous, please do an enquiry',
    resultCode: 'ESB000001',
    transactionStatus: 'TA',
  },
  DP00900001001: { kind: 'paid', message: 'SUCCESS', resultCode: 'ESB000010', httpStatus: 200 },
  DP00900001003: failed('Maximum transaction limit reached for the day'),
  DP00900001004: failed('Amount is out of range'),
  DP00900001005: failed('Transaction failed'),
  DP00900001006: {
    kind: 'open',
    message: 'Transaction in process',
    resultCode: 'ESB000010',
    httpStatus: 200,
    transactionStatus: 'TIP',
  },
  DP00900001007: failed('Insufficient funds'),
  DP00900001009: failed('Initiatee of the transaction is invalid'),
  DP00900001010: rejected('Payer is not an allowed user'),
  DP00900001011: rejected('A similar transaction already exists'),
  DP00900001012: failed('Mobile number entered is incorrect'),
  DP00900001013: failed('Transaction refused'),
  DP00900001014: {
    kind: 'open',
    message: 'Transaction timed out and may have been processed',
    resultCode: 'ESB000001',
    transactionStatus: 'TA',
  },
  DP00900001015: rejected('Transaction not found', { resultCode: 'ESB000014' }),
  DP00900001016: SIGNATURE,
  DP00900001017: rejected('Duplicate transaction id'),
  DP00900001018: SIGNATURE,
  DP00900001019: rejected('Sender is barred'),
  DP02200000000: rejected('User enquiry failed'),
  DP02200000001: { kind: 'paid', message: 'success', resultCode: 'ESB000010', httpStatus: 200 },
  DP02200000002: rejected('User not found'),
  DP02100000000: rejected('Balance enquiry failed'),
  DP02100000001: { kind: 'paid', message: 'SUCCESS', resultCode: 'ESB000010', httpStatus: 200 },
  DP02100000002: rejected('Invalid MSISDN'),
  DP02010001000: rejected('Encryption keys could not be fetched'),
  DP02010001001: { kind: 'paid', message: 'SUCCESS', resultCode: 'ESB000010', httpStatus: 200 },
  ROUTER001: router('Wallet is not configured', VENDOR),
  ROUTER003: router('Mandatory parameter or header is missing', FIELDS),
  ROUTER005: router('Country route is not configured', VENDOR),
  ROUTER006: router('Invalid country', COUNTRY),
  ROUTER007: router('Not authorised to perform operations in this country', VENDOR),
  ROUTER112: router('Invalid currency', CURRENCY),
  ROUTER114: router('Error while validating the PIN', FAILED),
  ROUTER115: router('PIN is incorrect', FAILED),
  ROUTER116: router('Encrypted PIN value is wrong', FAILED),
  ROUTER117: {
    kind: 'open',
    message: 'Error while generating the response',
    resultCode: 'ESB000001',
    httpStatus: 500,
  },
  ROUTER119: router('Currency header is missing', CURRENCY),
  ESB000001: {
    kind: 'open',
    message: 'Something went wrong',
    resultCode: 'ESB000001',
    httpStatus: 500,
  },
  ESB000004: router('Error while initiating the transaction', 'ESB000004'),
  ESB000008: router('Field validation failed', 'ESB000008'),
  ESB000011: failed('Transaction failed', 'ESB000011'),
  ESB000014: {
    kind: 'open',
    message: 'Error while fetching the transaction status',
    resultCode: 'ESB000014',
    httpStatus: 500,
  },
  ESB000033: router('MSISDN is too short', 'ESB000033'),
  ESB000034: router('Invalid country', 'ESB000034'),
  ESB000035: router('Invalid currency', 'ESB000035'),
  ESB000036: router('MSISDN is too long', 'ESB000036'),
  ESB000039: router('Vendor is not configured for the country', 'ESB000039'),
} as const satisfies Record<string, CodeFacts>;

type AirtelCode = keyof typeof CODES;

/** Every code that this operator can answer a payout with. */
export const AIRTEL_CODES: readonly string[] = Object.keys(CODES);

const UNLISTED = failed('Transaction failed');

/** A code that is not in the documents counts as a failure that callers do not know. */
export function codeFacts(code: string): CodeFacts {
  return isAirtelCode(code) ? CODES[code] : UNLISTED;
}

function isAirtelCode(code: string): code is AirtelCode {
  return Object.hasOwn(CODES, code);
}

/** This operator's codes for the refusals that all operators have. */
export const REFUSAL_CODES: Readonly<Record<RefusalWord, string>> = {
  'recipient-not-found': 'DP00900001012',
  'recipient-limit': 'DP00900001003',
  'float-insufficient': 'DP00900001007',
  declined: 'DP00900001005',
};
