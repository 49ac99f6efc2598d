/** The longest wait a Retry-After can ask for; past it the caller had better know and decide. */
const RETRY_AFTER_MAX_SECONDS = 60;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 8_000;
/** Statuses that pass by themselves, for answers of proxies, which give no advice. */
const PASSING_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
/** Answers that prove that the request was turned away before anything was done. */
const NOTHING_DONE_STATUSES: readonly number[] = [408, 429];

/** How an attempt failed. */
export type FailedAttempt = Readonly<{
  /** Of the answer; null when there was none. */
  status: number | null;
  /** What the service advises in X-Should-Retry, or without an answer what the failure itself says; null: neither. */
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
   * Whether doing it twice comes to the same as doing it once. So it is for reads, and for a transfer,
   * whose Idempotency-Key and reference both stay the same on every attempt.
   */
  isRepeatable: boolean;
  /** From 0 to 1. */
  jitter: number;
}>;

export type RetryDecision = Readonly<{ retry: false }> | Readonly<{ retry: true; afterMs: number }>;

/**
 * The whole decision whether a failed request is sent again, and when. In this order:
 *
 * 1. No more than `retriesMax` times, and never against the caller's own signal.
 * 2. The service's advice beats any guess of ours: it knows whether the code passes by itself.
 *    Without advice, because a proxy answered or no answer came, only passing statuses are tried again.
 * 3. A call that must not happen twice, such as creating a webhook endpoint, is sent again only when
 *    the first one provably did nothing: it was never sent, or was refused on arrival.
 * 4. Never sooner than Retry-After says. When that is longer than a program can be expected to
 *    stand still, the caller gets the error at once, with the time in it.
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

/** Twice as long each time, and spread out, so that many clients do not come back all at once. */
function delayMs(waitSeconds: number, { attempts, jitter }: RetrySituation): number {
  const halfMs = Math.min(BACKOFF_FIRST_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS) / 2;
  // The spread is added: sooner than the service says is never right.
  return Math.round(Math.max(waitSeconds * 1_000, halfMs) + halfMs * jitter);
}
