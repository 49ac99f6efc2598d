import type { KeptReplay } from './policy-version.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const COVERED_DAYS = 30;
/** Clocks differ, and a person reads for a while before publishing. */
const BEGINS_LATE_MAX_MS = HOUR_MS;
const ENDS_EARLY_MAX_MS = DAY_MS;

export function lastDays(now: Date): Readonly<{ from: Date; to: Date }> {
  return { from: new Date(now.getTime() - COVERED_DAYS * DAY_MS), to: now };
}

/** Whether the replay shows what the draft would have done in the last 30 days. */
export function coversLastDays(replay: KeptReplay | null, now: Date): boolean {
  if (replay === null) return false;
  const { from, to } = lastDays(now);
  return (
    replay.from.getTime() <= from.getTime() + BEGINS_LATE_MAX_MS &&
    replay.to.getTime() >= to.getTime() - ENDS_EARLY_MAX_MS
  );
}
