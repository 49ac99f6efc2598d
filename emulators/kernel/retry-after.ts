import type { PlainAnswer } from './answer.ts';
import type { RetryAfterForm } from './behaviour.ts';

export const RETRY_AFTER_FORMS = [
  'seconds',
  'date',
  'none',
] as const satisfies readonly RetryAfterForm[];

const MS_PER_S = 1_000;

/** Adds a Retry-After header to an answer, unless the form is `none`. */
export function withRetryAfter(
  answer: PlainAnswer,
  { seconds, form, nowMs }: Readonly<{ seconds: number; form: RetryAfterForm; nowMs: number }>,
): PlainAnswer {
  if (form === 'none') return answer;
  const value = form === 'seconds' ? String(seconds) : dateAfter(seconds, nowMs);
  return { ...answer, headers: { ...answer.headers, 'retry-after': value } };
}

/** HTTP dates have whole seconds; rounded up, so that the date is never before the end of the wait. */
function dateAfter(seconds: number, nowMs: number): string {
  const atMs = Math.ceil((nowMs + seconds * MS_PER_S) / MS_PER_S) * MS_PER_S;
  return new Date(atMs).toUTCString();
}
