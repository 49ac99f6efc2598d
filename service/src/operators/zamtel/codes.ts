import type { FailureCode } from '../../domain/outcome.ts';

/** What a code proves: that it was paid, a refusal in our words, or nothing. */
export type ZamtelMeaning = 'paid' | Exclude<FailureCode, 'CANCELLED'> | 'unknown';

/**
 * Every code that was seen on Zamtel's facade, and those of the platform behind it (Huawei CPS), whose
 * numbers it passes on.
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
  // Failures inside Zamtel's platform: nobody says whether before or after the money moved.
  ['1', 'unknown'],
  ['-1', 'unknown'],
  ['E8027', 'unknown'],
]);

export function meaningOfZamtelCode(code: string): ZamtelMeaning {
  return ZAMTEL_CODES.get(code) ?? 'unknown';
}

/** A code as it may stand in a cause: operators' words are bounded before anybody sees them. */
export function shownZamtelCode(code: string): string {
  return /^[A-Za-z0-9_.-]{1,40}$/.test(code) ? code : 'that cannot be shown';
}
