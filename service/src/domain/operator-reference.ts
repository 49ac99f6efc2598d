import { hash } from 'node:crypto';

/** Separates these hashes from any others of the same values. */
const PURPOSE = 'kafue operator reference';

/**
 * The submission number of every transfer today: a definite refusal ends a transfer, so there is no second submission
 * under a new reference.
 */
export const FIRST_SUBMISSION = 1;

/** The digits that the variant of a UUID allows, indexed by the two lowest bits of the digit that they replace. */
const VARIANT_DIGITS = '89ab';

/**
 * The reference under which an operator knows a transfer: SHA-256 of book, submission number and the merchant's
 * reference, formatted as a UUID of version 4, which is what operators accept.
 *
 * It is derived, so it does not depend on the database. After a restore from an older backup the merchant sends again
 * what the database has lost; the operator then recognises its own order and does not pay it twice. For the same reason
 * THIS MUST NEVER CHANGE, not by one byte: orders that were sent under the old derivation would be paid again. The test
 * beside this file pins it.
 */
export function deriveOperatorReference({
  bookId,
  reference,
  submission,
}: Readonly<{ bookId: string; reference: string; submission: number }>): string {
  // The reference comes last: its length varies, and nothing after it can be taken for a part of it.
  const text = `${PURPOSE}\n${bookId.toLowerCase()}\n${submission}\n${reference}`;
  const digits = hash('sha256', text, 'hex');
  const variant = VARIANT_DIGITS.charAt(Number.parseInt(digits.charAt(16), 16) & 3);
  return (
    `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}` +
    `-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`
  );
}
