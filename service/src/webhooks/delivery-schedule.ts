const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How long after a failed attempt the next one is made. As in Standard Webhooks, the list 5 s, 5 min, 30 min, 2, 5, 10,
 * 14, 20, 24 h gives the waits between attempts: ten attempts over three days, so that a receiver that broke on Friday
 * can be repaired on Monday.
 */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** Attempts of one schedule; a replay starts a new one. */
export const SCHEDULE_ATTEMPTS_MAX = DELAYS_MS.length + 1;

/** Up to this share of a wait is added or subtracted, so that retries after an outage do not come all at once. */
const JITTER = 0.1;

/** A receiver may demand more time, but not so much that its merchant would never receive the event. */
export const RETRY_AFTER_MAX_SECONDS = 24 * 60 * 60;

/**
 * An endpoint that has accepted nothing for this long, in at least this many attempts, is disabled. It is longer than
 * one whole schedule, so that a single delivery cannot disable it.
 */
const SUSTAINED_FAILURE_MS = 5 * DAY_MS;
export const SUSTAINED_FAILURE_ATTEMPTS_MIN = 20;

/**
 * The factor for all waits of the schedule: 1 in production, less in tests. A receiver's Retry-After is never scaled.
 */
export type TimeScale = number;

export function sustainedFailureMs(timeScale: TimeScale): number {
  return Math.round(SUSTAINED_FAILURE_MS * timeScale);
}

/** When to try again after a failed attempt; undefined: that was the last one. */
export function nextAttemptInMs(
  failed: Readonly<{
    /** Attempts made in this schedule, including the failed one. */
    attempts: number;
    retryAfterSeconds: number | undefined;
  }>,
  { timeScale, random }: Readonly<{ timeScale: TimeScale; random: () => number }>,
): number | undefined {
  const delayMs = DELAYS_MS[failed.attempts - 1];
  if (delayMs === undefined) return undefined;
  const jitter = random();
  const scheduledMs = delayMs * timeScale * (1 - JITTER + 2 * JITTER * jitter);
  const demandedSeconds = Math.min(failed.retryAfterSeconds ?? 0, RETRY_AFTER_MAX_SECONDS);
  // Never earlier than the receiver demanded.
  const demandedMs = demandedSeconds * SECOND_MS * (1 + JITTER * jitter);
  return Math.round(Math.max(scheduledMs, demandedMs));
}
