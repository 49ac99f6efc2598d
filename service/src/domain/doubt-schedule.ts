const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Short at first, since most doubts end within a minute; then longer. */
const FIRST_DELAYS_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  30 * SECOND_MS,
  1 * MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  15 * MINUTE_MS,
] as const;

const HALF_HOURLY_UNTIL_MS = 24 * HOUR_MS;
const HOURLY_UNTIL_MS = 72 * HOUR_MS;

/**
 * "Not found" ends a doubt only where the connector declares it final, and only after the operator had time to process
 * its own queue, where a submission can still be waiting. An operator that does not answer may not be processing
 * either, so the age and the number of answers both count from its first answer after unanswered inquiries.
 */
export const NOT_FOUND_AGE_MIN_MS = 15 * MINUTE_MS;
/** Extra answers that came before schedule because of a callback count as one. */
export const NOT_FOUND_ANSWERS_MIN = 3;

/**
 * "Not found" counts only if we inquired on schedule: while we did not inquire, the operator may have been down. The count
 * restarts when the next inquiry comes later than this many times the planned wait plus this minimum.
 */
export const ANSWERS_LAPSE_WAITS = 2;
export const ANSWERS_LAPSE_MIN_MS = 2 * SECOND_MS;

/**
 * How often the same order is resubmitted after "not found", and how often when the operator said that it did not take
 * the order.
 */
export const RESUBMISSIONS_MAX = 3;
export const THROTTLED_RESUBMISSIONS_MAX = 12;
/**
 * The last resubmission is recorded at least this long before the operator's memory ends. It is longer than a lease and
 * the longest submission together, so that no resubmission arrives after the end. Not scaled, because neither of the
 * two is.
 */
export const RESUBMISSION_MARGIN_MS = MINUTE_MS;
/** When to inquire next about a transfer that may be resubmitted while its route has no free slot. */
export const SLOT_WAIT_MS = 5 * SECOND_MS;
/** When to inquire about a transfer that its operator was asked to take back. Not scaled: a person waits for it. */
export const RECALLED_INQUIRY_MS = 5 * SECOND_MS;

/** The minimum of every wait, so that a scaled clock cannot turn a schedule into a tight loop. */
const WAIT_MIN_MS = 50;

export function atLeast(waitMs: number): number {
  return Math.max(WAIT_MIN_MS, Math.round(waitMs));
}

/**
 * How many inquiries the schedule has made by the time a doubt is this old. The schedule resumes there after the
 * operator said "pending", so that alternating answers do not restart it.
 */
export function checksAfter(ageMs: number, timeScale: number): number {
  let checks = 0;
  let inquiredAtMs = 0;
  for (;;) {
    const waitMs = nextDoubtCheckMs(checks);
    if (waitMs === undefined) return checks;
    inquiredAtMs += atLeast(waitMs * timeScale);
    if (inquiredAtMs > ageMs) return checks;
    checks += 1;
  }
}

/** Whether the schedule has ended. An operator that only ever says "pending" gets inquiries for the same time. */
export function isOverAfter(ageMs: number, timeScale: number): boolean {
  return nextDoubtCheckMs(checksAfter(ageMs, timeScale)) === undefined;
}

/** How long to wait after an unanswered inquiry about a transfer that the operator has accepted. */
export function nextUnansweredCheckMs(checks: number): number {
  return FIRST_DELAYS_MS[checks] ?? 15 * MINUTE_MS;
}

/**
 * How long to wait before the next inquiry, after `checks` inquiries in doubt. Undefined after 72 hours: the transfer
 * is then flagged for a person, and stays pending.
 */
export function nextDoubtCheckMs(checks: number): number | undefined {
  const first = FIRST_DELAYS_MS[checks];
  if (first !== undefined) return first;
  const firstTotalMs = FIRST_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
  const halfHourly = Math.ceil((HALF_HOURLY_UNTIL_MS - firstTotalMs) / (30 * MINUTE_MS));
  const beyond = checks - FIRST_DELAYS_MS.length;
  if (beyond < halfHourly) return 30 * MINUTE_MS;
  const hourly = (HOURLY_UNTIL_MS - HALF_HOURLY_UNTIL_MS) / HOUR_MS;
  return beyond < halfHourly + hourly ? HOUR_MS : undefined;
}
