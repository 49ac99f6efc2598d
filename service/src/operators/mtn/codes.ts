import type { FailureCode } from '../../domain/outcome.ts';

/** What a code proves: a refusal with our failure code, or nothing. */
export type CodeMeaning = Exclude<FailureCode, 'CANCELLED'> | 'unknown';

/**
 * `refused`: the code is in the error that answers a submission. `failed`: it is the reason of a transfer whose status
 * is FAILED.
 */
type MtnCode = Readonly<{ refused: CodeMeaning; failed: CodeMeaning }>;

const always = (meaning: CodeMeaning): MtnCode => ({ refused: meaning, failed: meaning });

/**
 * It describes the result of a transfer. As the answer to a submission it could concern one that was accepted, so only
 * the status counts.
 */
const ONLY_AS_REASON: MtnCode = { refused: 'unknown', failed: 'OPERATOR_REJECTED' };

/** Every code that MTN documents. In a payout the payer is our own account with MTN. */
const MTN_CODES: ReadonlyMap<string, MtnCode> = new Map([
  ['PAYEE_NOT_FOUND', always('RECIPIENT_NOT_FOUND')],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', always('RECIPIENT_NOT_ALLOWED')],
  ['PAYEE_LIMIT_REACHED', always('RECIPIENT_LIMIT_REACHED')],
  ['VALIDATION_ERROR', always('AMOUNT_REFUSED')],
  ['NOT_ENOUGH_FUNDS', always('OPERATOR_FLOAT_INSUFFICIENT')],

  ['PAYER_NOT_FOUND', always('OPERATOR_REJECTED')],
  ['PAYER_LIMIT_REACHED', always('OPERATOR_REJECTED')],
  ['SENDER_ACCOUNT_NOT_ACTIVE', always('OPERATOR_REJECTED')],
  ['NOT_ALLOWED', always('OPERATOR_REJECTED')],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', always('OPERATOR_REJECTED')],
  ['INVALID_CALLBACK_URL_HOST', always('OPERATOR_REJECTED')],
  ['INVALID_CURRENCY', always('OPERATOR_REJECTED')],
  ['TRANSFER_TYPE_UNKNOWN', always('OPERATOR_REJECTED')],
  ['FORBIDDEN IP', always('OPERATOR_REJECTED')],

  ['PAYMENT_NOT_APPROVED', ONLY_AS_REASON],
  ['APPROVAL_REJECTED', ONLY_AS_REASON],
  ['REJECTED', ONLY_AS_REASON],
  ['EXPIRED', ONLY_AS_REASON],
  ['TRANSACTION_CANCELED', ONLY_AS_REASON],
  ['COULD_NOT_PERFORM_TRANSACTION', ONLY_AS_REASON],
  ['RESOURCE_NOT_FOUND', ONLY_AS_REASON],
  ['TRANSACTION_NOT_FOUND', ONLY_AS_REASON],
  // Both may also mean that the platform failed in the middle of a submission.
  ['INTERNAL_PROCESSING_ERROR', ONLY_AS_REASON],
  ['SERVICE_UNAVAILABLE', ONLY_AS_REASON],

  // The first submission with this reference arrived, and only its status shows the result.
  ['RESOURCE_ALREADY_EXIST', always('unknown')],
]);

export function meaningOfCode(code: string, place: keyof MtnCode): CodeMeaning {
  return MTN_CODES.get(code)?.[place] ?? 'unknown';
}

/** A code as it may appear in a cause: operators' text is bounded before it is shown. */
export function shownCode(code: string): string {
  return /^[A-Za-z0-9_. -]{1,60}$/.test(code) ? code : 'a code that cannot be shown';
}
