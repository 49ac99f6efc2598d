const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Quick at first, since most doubts end within a minute; then patient. */
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
 * "Not found" ends a doubt only where the connector calls it final, and only after the operator had
 * time to work off its own queue: a submission can still be waiting there. While it answers nothing
 * it works off nothing, so both are counted from its first answer after a silence.
 */
export const NOT_FOUND_AGE_MIN_MS = 15 * MINUTE_MS;
/** Answers that come sooner after each other than planned, because of a callback, count as one. */
export const NOT_FOUND_ANSWERS_MIN = 3;

/**
 * Nor does anybody know of a silence who did not ask: answers count only while the next inquiry comes
 * within so many times the wait that was planned, and this much more.
 */
export const ANSWERS_LAPSE_WAITS = 2;
export const ANSWERS_LAPSE_MIN_MS = 2 * SECOND_MS;

/**
 * How often the same order is submitted again after "not found", and how often when the operator said itself
 * that it did not take it.
 */
export const RESUBMISSIONS_MAX = 3;
export const THROTTLED_RESUBMISSIONS_MAX = 12;
/**
 * How long before the end of an operator's memory the last resubmission is recorded: longer than a lease and the
 * longest submission together, so that none arrives after it. Not scaled, since neither of the two is.
 */
export const RESUBMISSION_MARGIN_MS = MINUTE_MS;
/** How soon a transfer that may be submitted again is asked about when its route has no place now. */
export const SLOT_WAIT_MS = 5 * SECOND_MS;

/** The floor under every wait, so that a scaled clock cannot turn a schedule into a tight loop. */
const WAIT_MIN_MS = 50;

export function atLeast(waitMs: number): number {
  return Math.max(WAIT_MIN_MS, Math.round(waitMs));
}

/**
 * How many inquiries the schedule has put by the time a doubt is this old: where it goes on when an operator
 * said "pending" in between. So answers that alternate do not begin the schedule anew.
 */
export function checksAfter(ageMs: number, timeScale: number): number {
  let checks = 0;
  let askedAtMs = 0;
  for (;;) {
    const waitMs = nextDoubtCheckMs(checks);
    if (waitMs === undefined) return checks;
    askedAtMs += atLeast(waitMs * timeScale);
    if (askedAtMs > ageMs) return checks;
    checks += 1;
  }
}

/** How long the schedule lasts: an operator that only ever says "pending" is asked for as long. */
export function isOverAfter(ageMs: number, timeScale: number): boolean {
  return nextDoubtCheckMs(checksAfter(ageMs, timeScale)) === undefined;
}

/** How long to wait after an inquiry without an answer about a transfer that its operator has. */
export function nextUnansweredCheckMs(checks: number): number {
  return FIRST_DELAYS_MS[checks] ?? 15 * MINUTE_MS;
}

/**
 * How long to wait before asking again, after `checks` inquiries in doubt. Undefined after 72 hours:
 * then the transfer is flagged for a person, and is still pending.
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
