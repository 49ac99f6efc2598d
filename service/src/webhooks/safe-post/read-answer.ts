import { RETRY_AFTER_MAX_SECONDS } from '../delivery-schedule.ts';

/** Characters that could hide or reorder what is shown to people. */
const UNSHOWABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The beginning of an answer as text that can be stored and shown. */
export function toShowableText(bytes: Buffer): string {
  // Decoded as a stream, so that a character that was cut in two is left out.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.replaceAll(UNSHOWABLE, ' ');
}

/** Seconds, or an HTTP date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d{1,9}$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000);
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(seconds, 0), RETRY_AFTER_MAX_SECONDS);
}
