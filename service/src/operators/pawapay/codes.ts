import type { FailureCode } from '../../domain/outcome.ts';

/**
 * Every failure code of pawaPay's v2, with what it ends. `refusedWith` are the HTTP statuses with which an initiation
 * is finally refused: a refused payout was never accepted. `fails` is true if the code may be the reason of a payout
 * that was accepted and then failed. Any other code, status or use is unknown.
 */
type PawapayMeaning = Readonly<{
  refusedWith?: readonly number[];
  fails?: true;
  failure: FailureCode;
}>;

/** The copies of the documentation differ on whether a bad token is 401 or 403. */
const AUTHENTICATION: readonly number[] = [401, 403];

export const PAWAPAY_CODES: ReadonlyMap<string, PawapayMeaning> = new Map([
  ['NO_AUTHENTICATION', { refusedWith: [401], failure: 'OPERATOR_REJECTED' }],
  ['AUTHENTICATION_ERROR', { refusedWith: AUTHENTICATION, failure: 'OPERATOR_REJECTED' }],
  ['AUTHORISATION_ERROR', { refusedWith: [403], failure: 'OPERATOR_REJECTED' }],
  ['HTTP_SIGNATURE_ERROR', { refusedWith: AUTHENTICATION, failure: 'OPERATOR_REJECTED' }],
  ['PAYOUTS_NOT_ALLOWED', { refusedWith: [403], failure: 'OPERATOR_REJECTED' }],
  ['INVALID_INPUT', { refusedWith: [400], failure: 'OPERATOR_REJECTED' }],
  ['MISSING_PARAMETER', { refusedWith: [400], failure: 'OPERATOR_REJECTED' }],
  ['UNSUPPORTED_PARAMETER', { refusedWith: [400], failure: 'OPERATOR_REJECTED' }],
  ['INVALID_PARAMETER', { refusedWith: [400], failure: 'OPERATOR_REJECTED' }],
  ['DUPLICATE_METADATA_FIELD', { refusedWith: [400], failure: 'OPERATOR_REJECTED' }],
  ['AMOUNT_OUT_OF_BOUNDS', { refusedWith: [200], failure: 'AMOUNT_REFUSED' }],
  ['INVALID_AMOUNT', { refusedWith: [200], failure: 'AMOUNT_REFUSED' }],
  ['INVALID_PHONE_NUMBER', { refusedWith: [200], failure: 'RECIPIENT_NOT_FOUND' }],
  ['INVALID_CURRENCY', { refusedWith: [200], failure: 'OPERATOR_REJECTED' }],
  ['INVALID_PROVIDER', { refusedWith: [200], failure: 'OPERATOR_REJECTED' }],
  ['PROVIDER_TEMPORARILY_UNAVAILABLE', { refusedWith: [200], failure: 'OPERATOR_REJECTED' }],
  [
    'PAWAPAY_WALLET_OUT_OF_FUNDS',
    { refusedWith: [200], fails: true, failure: 'OPERATOR_FLOAT_INSUFFICIENT' },
  ],
  ['RECIPIENT_NOT_FOUND', { fails: true, failure: 'RECIPIENT_NOT_FOUND' }],
  ['WALLET_LIMIT_REACHED', { fails: true, failure: 'RECIPIENT_LIMIT_REACHED' }],
  ['RECIPIENT_LIMIT_REACHED', { fails: true, failure: 'RECIPIENT_LIMIT_REACHED' }],
  ['MANUALLY_CANCELLED', { fails: true, failure: 'OPERATOR_REJECTED' }],
  ['UNSPECIFIED_FAILURE', { fails: true, failure: 'OPERATOR_REJECTED' }],
  // In the answer to an initiation it is no failure; an inquiry follows.
  ['UNKNOWN_ERROR', { fails: true, failure: 'OPERATOR_REJECTED' }],
] satisfies [string, PawapayMeaning][]);

/** Undefined: this code with this status does not end an initiation. */
export function initiationFailure(
  code: string | undefined,
  httpStatus: number,
): FailureCode | undefined {
  const meaning = code === undefined ? undefined : PAWAPAY_CODES.get(code);
  return meaning?.refusedWith?.includes(httpStatus) === true ? meaning.failure : undefined;
}

/** Undefined: this code is not a reason why an accepted payout failed. */
export function finalFailure(code: string | undefined): FailureCode | undefined {
  const meaning = code === undefined ? undefined : PAWAPAY_CODES.get(code);
  return meaning?.fails === true ? meaning.failure : undefined;
}

/** The status words of a payout; any other word proves nothing. */
export const PAWAPAY_STATUSES: ReadonlyMap<string, 'paid' | 'pending' | 'failed'> = new Map([
  ['ACCEPTED', 'pending'],
  ['ENQUEUED', 'pending'],
  ['PROCESSING', 'pending'],
  ['IN_RECONCILIATION', 'pending'],
  ['COMPLETED', 'paid'],
  ['FAILED', 'failed'],
]);

/** The form of a code; nothing else of an answer is repeated in a cause. */
export function isPawapayCode(text: string | undefined): text is string {
  return text !== undefined && /^[A-Z][A-Z_]{2,63}$/.test(text);
}
