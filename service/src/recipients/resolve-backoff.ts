/** The first time an operator is asked again, at a time scale of 1; each further time takes twice as long. */
const BACKOFF_FIRST_MS = 5_000;
/** An operator may be away for days; once an hour keeps the question alive and costs nothing. */
const BACKOFF_MAX_MS = 3_600_000;
/** Where only our own allowance was used up, the operator is there, and its next free second is used. */
const NOT_ASKED_BACKOFF_MAX_MS = 300_000;
/** A sandbox without delay has a time scale of 0, and must not be asked in a busy loop. */
const BACKOFF_MIN_MS = 50;

/** How long to wait after so many questions without an answer. There is no last one. */
export function resolveBackoffMs({
  attempts,
  timeScale,
  wasAsked,
}: Readonly<{ attempts: number; timeScale: number; wasAsked: boolean }>): number {
  const backoffMaxMs = wasAsked ? BACKOFF_MAX_MS : NOT_ASKED_BACKOFF_MAX_MS;
  const normalMs = Math.min(backoffMaxMs, BACKOFF_FIRST_MS * 2 ** Math.max(0, attempts - 1));
  return Math.max(BACKOFF_MIN_MS, Math.min(backoffMaxMs, normalMs * timeScale));
}
