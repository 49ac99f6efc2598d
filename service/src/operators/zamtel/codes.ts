import type { FailureCode } from '../../domain/outcome.ts';

/** What a code proves: a payment, a refusal with our failure code, or nothing. */
export type ZamtelMeaning = 'paid' | Exclude<FailureCode, 'CANCELLED'> | 'unknown';

/**
 * Every code that is known from Zamtel's facade, and those of the platform behind it (Huawei CPS), whose numbers it
 * passes on.
 */
const ZAMTEL_CODES: ReadonlyMap<string, ZamtelMeaning> = new Map([
  ['0', 'paid'],
  ['2002', 'RECIPIENT_NOT_FOUND'],
  ['2051', 'RECIPIENT_NOT_FOUND'],
  ['2005', 'RECIPIENT_LIMIT_REACHED'],
  ['2006', 'OPERATOR_FLOAT_INSUFFICIENT'],
  ['2001', 'OPERATOR_REJECTED'],
  ['2057', 'OPERATOR_REJECTED'],
  ['E8003', 'OPERATOR_REJECTED'],
  // Failures inside Zamtel's platform, without a statement of whether the money had moved.
  ['1', 'unknown'],
  ['-1', 'unknown'],
  ['E8027', 'unknown'],
]);

export function meaningOfZamtelCode(code: string): ZamtelMeaning {
  return ZAMTEL_CODES.get(code) ?? 'unknown';
}

/** A code as it may appear in a cause: operators' text is bounded before it is shown. */
export function shownZamtelCode(code: string): string {
  return /^[A-Za-z0-9_.-]{1,40}$/.test(code) ? code : 'that cannot be shown';
}
