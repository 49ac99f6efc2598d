/** The longest Retry-After that the client waits for. For a longer one the caller gets the error and decides. */
const RETRY_AFTER_MAX_SECONDS = 60;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 8_000;
/** Statuses of temporary errors, for answers of proxies, which send no X-Should-Retry. */
const PASSING_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
/** Statuses that prove that the request was refused before anything was done. */
const NOTHING_DONE_STATUSES: readonly number[] = [408, 429];

/** How an attempt failed. */
export type FailedAttempt = Readonly<{
  /** Of the answer; null when there was none. */
  status: number | null;
  /** The value of X-Should-Retry; without an answer, what the kind of failure implies; null: unknown. */
  shouldRetry: boolean | null;
  retryAfterSeconds: number | null;
  /** Whether the request provably never left, such as when the connection was refused. */
  neverSent: boolean;
  /** Whether the caller's own signal ended it. */
  wasAborted: boolean;
}>;

export type RetrySituation = Readonly<{
  /** How often the request was sent so far: 1 after the first failure. */
  attempts: number;
  retriesMax: number;
  /**
   * Whether sending it twice has the same effect as sending it once. This holds for reads, and for a transfer,
   * whose Idempotency-Key and reference stay the same on every attempt.
   */
  isRepeatable: boolean;
  /** From 0 to 1. */
  jitter: number;
}>;

export type RetryDecision = Readonly<{ retry: false }> | Readonly<{ retry: true; afterMs: number }>;

/**
 * Decides whether a failed request is sent again, and when. The rules, in order:
 *
 * 1. No more than `retriesMax` times, and never against the caller's own signal.
 * 2. X-Should-Retry decides if the service sent it, because the service knows whether the error is temporary.
 *    Without it, because a proxy answered or no answer came, only temporary statuses are tried again.
 * 3. A call that must not happen twice, such as creating a webhook endpoint, is sent again only if
 *    the first one certainly did nothing: it was never sent, or was refused on arrival.
 * 4. Never sooner than Retry-After says. If that is longer than a program should wait, the caller gets
 *    the error at once, with the time in it.
 */
export function decideRetry(failed: FailedAttempt, situation: RetrySituation): RetryDecision {
  if (situation.attempts > situation.retriesMax || failed.wasAborted) return NO;
  const isAdvised = failed.shouldRetry ?? isPassingStatus(failed.status);
  if (!isAdvised) return NO;
  if (!situation.isRepeatable && !provesNothingDone(failed)) return NO;
  const waitSeconds = failed.retryAfterSeconds ?? 0;
  if (waitSeconds > RETRY_AFTER_MAX_SECONDS) return NO;
  return { retry: true, afterMs: delayMs(waitSeconds, situation) };
}

const NO: RetryDecision = { retry: false };

function isPassingStatus(status: number | null): boolean {
  return status === null || PASSING_STATUSES.includes(status);
}

function provesNothingDone({ neverSent, status }: FailedAttempt): boolean {
  return neverSent || (status !== null && NOTHING_DONE_STATUSES.includes(status));
}

/** Doubles each time, with a random part, so that many clients do not return at the same moment. */
function delayMs(waitSeconds: number, { attempts, jitter }: RetrySituation): number {
  const halfMs = Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS) / 2;
  // The random part is added, never subtracted: a client must not return sooner than the service says.
  return Math.round(Math.max(waitSeconds * 1_000, halfMs) + halfMs * jitter);
}
