/** The wait before the second lookup, at a time scale of 1; each further wait is twice as long. */
const BACKOFF_FIRST_MS = 5_000;
/** An operator may be down for days; one lookup an hour costs nothing. */
const BACKOFF_MAX_MS = 3_600_000;
/** Where only our own allowance was used up, the operator is reachable, so the next lookup comes sooner. */
const NOT_ASKED_BACKOFF_MAX_MS = 300_000;
/** A sandbox without delay has a time scale of 0, and must not be called in a busy loop. */
const BACKOFF_MIN_MS = 50;

/** How long to wait after this many lookups without an answer. There is no last one. */
export function resolveBackoffMs({
  attempts,
  timeScale,
  wasAsked,
}: Readonly<{ attempts: number; timeScale: number; wasAsked: boolean }>): number {
  const backoffMaxMs = wasAsked ? BACKOFF_MAX_MS : NOT_ASKED_BACKOFF_MAX_MS;
  const normalMs = Math.min(backoffMaxMs, BACKOFF_FIRST_MS * 2 ** Math.max(0, attempts - 1));
  return Math.max(BACKOFF_MIN_MS, Math.min(backoffMaxMs, normalMs * timeScale));
}
