import { hash } from 'node:crypto';
import { hashedRetry, numberedRetry } from './retry-rule.ts';

/**
 * The reference under which a payout that was not paid is paid again: `a.retry-1` after `a`, `a.retry-2` after that. One
 * that would be too long is named by its hash. Payout files, the command line and the page of the payout in the console,
 * also of one that was cancelled or reversed, derive the same, so no two of them can both pay it again.
 *
 * THIS MUST NEVER CHANGE: a database that was restored, or the command line, would not find what was paid again before,
 * and pay it once more. The test beside this file pins it.
 */
export function retryReference(earlier: string): string {
  return numberedRetry(earlier) ?? hashedRetry(hash('sha256', earlier, 'hex'));
}

/**
 * A reference is compared with the first payout and so many before it: as many as the command line makes of a line, which
 * keeps no other trace of them. A payout of a file names what it replaces, and that is followed however far it goes. More
 * would serve only invented numbers: a call may have 1,000 references such as `a.retry-9999`, and each number is looked up
 * while wallets of other merchants are locked.
 */
const EARLIER_MAX = 20;
/**
 * What `numberedRetry` makes, with as many digits as its last number has. Older command lines added a number to longer
 * references too, as far as it fitted into the 100 characters of a reference.
 */
const MADE = /^(.{1,92}[.]retry-)([0-9]{1,5})$/;
const HASHED = /^retry-[0-9a-f]{64}$/;
/** In each of them. */
export const RETRY_MARK = 'retry-';

/** Whether it may be one that `retryReference` or an older command line made. */
export function isRetryReference(reference: string): boolean {
  return reference.includes(RETRY_MARK) && (MADE.test(reference) || HASHED.test(reference));
}

/** The references under which a payout was made before, as far as its own tells: for `a.retry-2` `a` and `a.retry-1`. */
export function earlierReferences(reference: string): readonly string[] {
  const [, name, number] = MADE.exec(reference) ?? [];
  if (name === undefined) return [];
  const last = Number(number);
  const numbered = Array.from({ length: Math.min(last, EARLIER_MAX) }, (_, n) => {
    return `${name}${last - n - 1}`;
  });
  return [firstOf(name), ...numbered];
}

/** The part that names a payout by the hash of its reference; undefined: it names it by the reference itself. */
export function hashedReference(reference: string): string | undefined {
  const [, name] = MADE.exec(reference) ?? [];
  const first = name === undefined ? reference : firstOf(name);
  return HASHED.test(first) ? first : undefined;
}

function firstOf(name: string): string {
  return name.slice(0, -'.retry-'.length);
}
