import type { Outcome } from '../../domain/outcome.ts';
import type { WireAnswer } from './operator-wire.ts';

type Answered = Extract<WireAnswer, { kind: 'answered' }>;
type Said = Pick<Answered, 'status' | 'retryInMs'>;

const TOO_MANY = 429;
const UNAVAILABLE = 503;
/**
 * Credentials refused, too slow, too early, too many: statuses about the request and the moment, not about a payout.
 */
const PASSING_STATUSES: readonly number[] = [401, 403, 408, 425, TOO_MANY];

/**
 * Whether an operator accepts nothing now: 429, or 503 with Retry-After. A 503 without it may come from a server that
 * failed in the middle of a payout.
 */
export function isThrottled({ status, retryInMs }: Said): boolean {
  return status === TOO_MANY || (status === UNAVAILABLE && retryInMs !== undefined);
}

/** For a submission. */
export function throttled({ retryInMs }: Said, cause: string): Outcome {
  return { kind: 'throttled', cause, retryInMs: retryInMs ?? null };
}

/** Whether the answer to an inquiry says nothing about the payout, because the inquiry was not served. */
export function isUnserved({ status }: Said): boolean {
  return status >= 500 || PASSING_STATUSES.includes(status);
}

/** For an inquiry that was not sent, got no answer, or was not served. */
export function unanswered(cause: string, { retryInMs }: Partial<Said> = {}): Outcome {
  return { kind: 'unanswered', cause, retryInMs: retryInMs ?? null };
}
