import { hash } from 'node:crypto';

/** With a number of up to five digits after it, it stays below the 100 characters of a reference. */
const NAMED_CHARS_MAX = 80;
const NUMBERED = /^(.{1,80}[.]retry-)([0-9]{1,4})$/;

/**
 * The reference under which a payout that failed is paid again: `a.retry-1` after `a`, `a.retry-2` after that. One that
 * would be too long is named by its hash. The command line derives the same, so the console and the command line cannot
 * both pay it again.
 *
 * THIS MUST NEVER CHANGE: a database that was restored, or the command line, would not find what was paid again before,
 * and pay it once more. The test beside this file pins it.
 */
export function retryReference(failed: string): string {
  const [, name, number] = NUMBERED.exec(failed) ?? [];
  if (name !== undefined) return `${name}${Number(number) + 1}`;
  if (failed.length <= NAMED_CHARS_MAX) return `${failed}.retry-1`;
  return `retry-${hash('sha256', failed, 'hex')}`;
}
