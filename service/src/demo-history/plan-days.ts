const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
/** Eight in the morning to half past five in Lusaka. */
const OPENS_MS = 6 * 60 * MINUTE_MS;
const CLOSES_MS = 15.5 * 60 * MINUTE_MS;
/** What happened later than this might not have ended yet. */
const LATEST_MS = 4 * MINUTE_MS;
/** The day of the month on which advances are paid. */
const ADVANCE_DAY = 15;
const FRIDAY = 5;

export const HISTORY_DAYS = 21;

export type PayRun = 'salaries' | 'advances' | 'wages' | null;

/** A day on which payouts were made, between two times, and how busy it was compared with others. */
export type PlannedDay = Readonly<{ from: Date; to: Date; weight: number; payRun: PayRun }>;

/** How many times as busy as a usual weekday. */
const PAY_RUN_WEIGHTS = { salaries: 7, advances: 3, wages: 2.5 } as const;
const WEEKEND_WEIGHTS: Readonly<Record<number, number>> = { 0: 0.15, 6: 0.4 };

/** Three weeks that end now, oldest day first. A day of which nothing has passed yet is left out. */
export function planDays(now: Date): readonly PlannedDay[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: HISTORY_DAYS }, (_, index) =>
    planDay(today - (HISTORY_DAYS - 1 - index) * DAY_MS, now),
  ).filter(({ from, to }) => from < to);
}

function planDay(midnightMs: number, now: Date): PlannedDay {
  const latestMs = now.getTime() - LATEST_MS;
  const opensMs = midnightMs + OPENS_MS;
  // Before work begins, today has what was paid in the night.
  const fromMs = opensMs < latestMs ? opensMs : midnightMs;
  const toMs = Math.min(midnightMs + CLOSES_MS, latestMs);
  const payRun = payRunOf(new Date(midnightMs));
  const passed = Math.max(0, Math.min(1, (toMs - fromMs) / (CLOSES_MS - OPENS_MS)));
  const weekday = new Date(midnightMs).getUTCDay();
  const weight =
    payRun === null ? (WEEKEND_WEIGHTS[weekday] ?? 1) * passed : PAY_RUN_WEIGHTS[payRun] * passed;
  return { from: new Date(fromMs), to: new Date(toMs), weight, payRun };
}

function payRunOf(day: Date): PayRun {
  if (isLastWeekdayOfMonth(day)) return 'salaries';
  if (day.getUTCDate() === ADVANCE_DAY) return 'advances';
  return day.getUTCDay() === FRIDAY ? 'wages' : null;
}

function isLastWeekdayOfMonth(day: Date): boolean {
  if (isWeekend(day)) return false;
  let next = new Date(day.getTime() + DAY_MS);
  while (isWeekend(next)) next = new Date(next.getTime() + DAY_MS);
  return next.getUTCMonth() !== day.getUTCMonth();
}

function isWeekend(day: Date): boolean {
  return day.getUTCDay() === 0 || day.getUTCDay() === 6;
}
