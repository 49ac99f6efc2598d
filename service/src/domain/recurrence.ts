import { addDays, type Day, dayIn, instantIn } from './zone.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What happens when the day is a holiday: the working day before, the one after, or that day all the same. */
export const HOLIDAY_RULES = ['before', 'after', 'same'] as const;
export type HolidayRule = (typeof HOLIDAY_RULES)[number];

/** A day of the month. 29 to 31 mean the last day of a month that has fewer. */
export type MonthDay = number | 'last' | 'last_working_day';

/** The days that people choose, and the time that clocks show then. */
export type RecurrenceChoice = Readonly<{
  /** `08:30`. */
  at: string;
  ifHoliday: HolidayRule;
}> &
  (Readonly<{ every: 'month'; day: MonthDay }> | Readonly<{ every: 'week'; day: Weekday }>);

/** When something is repeated: a day of every month or week, by the clocks of a zone. */
export type Recurrence = RecurrenceChoice & Readonly<{ zone: string }>;

/** One time of a recurrence. */
export type Occurrence = Readonly<{
  /**
   * The month or the week, such as `2026-11` or `2026-W47`. It identifies the occurrence: the day may move with the
   * holidays, and must not be paid twice when it does.
   */
  period: string;
  /** By the rule alone. */
  day: Day;
  /** After holidays; the day of `at` in the zone. */
  payDay: Day;
  at: Date;
}>;

/** The days on which a country does not work, beside weekends. */
export type Holidays = ReadonlySet<Day>;

/** A country without a working day in as many days has a wrong list; the day then stays where it is. */
const MOVED_MAX_DAYS = 31;

/** Of the month or week with this number. Numbers of one kind follow each other without a gap. */
export function occurrenceOf(rule: Recurrence, period: number, holidays: Holidays): Occurrence {
  const day = rule.every === 'month' ? dayOfMonth(rule, period) : dayOfWeek(rule, period);
  const payDay =
    rule.day === 'last_working_day'
      ? nearestWorkingDay(day, -1, holidays)
      : awayFromHoliday(rule, day, holidays);
  return {
    period: namePeriod(rule.every, period),
    day,
    payDay,
    at: instantIn(rule.zone, payDay, rule.at),
  };
}

/** The number of the first period whose occurrence is at `from` or later. */
export function firstPeriod(rule: Recurrence, from: Date, holidays: Holidays): number {
  // A holiday can move an occurrence into a neighbouring period, by a month at most.
  let period = periodAt(rule.every, dayIn(rule.zone, from)) - periodsIn(rule.every);
  while (occurrenceOf(rule, period, holidays).at < from) period += 1;
  return period;
}

/** The next ones from a period on. */
export function nextOccurrences(
  rule: Recurrence,
  { period, count }: Readonly<{ period: number; count: number }>,
  holidays: Holidays,
): readonly Occurrence[] {
  return Array.from({ length: count }, (_, index) => occurrenceOf(rule, period + index, holidays));
}

/** Months since the year 0, or weeks since the one that began on Monday 29 December 1969. */
function periodAt(every: Recurrence['every'], day: Day): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return every === 'month' ? year * 12 + month - 1 : Math.floor((daysSinceEpoch(day) + 3) / 7);
}

function periodsIn(every: Recurrence['every']): number {
  return every === 'month' ? 2 : 6;
}

function dayOfMonth({ day }: Readonly<{ day: MonthDay }>, period: number): Day {
  const [year, month] = [Math.floor(period / 12), period % 12];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const number = typeof day === 'number' ? Math.min(day, length) : length;
  return isoDay(Date.UTC(year, month, number));
}

function dayOfWeek({ day }: Readonly<{ day: Weekday }>, period: number): Day {
  return addDays(mondayOf(period), WEEKDAYS.indexOf(day));
}

function mondayOf(period: number): Day {
  return addDays('1969-12-29', period * 7);
}

/** By ISO 8601: a week belongs to the year that has its Thursday. */
function namePeriod(every: Recurrence['every'], period: number): string {
  if (every === 'month') {
    return `${Math.floor(period / 12)}-${String((period % 12) + 1).padStart(2, '0')}`;
  }
  const thursday = addDays(mondayOf(period), 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((daysSinceEpoch(thursday) - daysSinceEpoch(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** A day of the month avoids weekends too. Who chose a weekday means it, also when it is a Saturday. */
function awayFromHoliday(rule: Recurrence, day: Day, holidays: Holidays): Day {
  const isFine =
    rule.ifHoliday === 'same' ||
    (rule.every === 'month' ? isWorkingDay(day, holidays) : !holidays.has(day));
  return isFine ? day : nearestWorkingDay(day, rule.ifHoliday === 'before' ? -1 : 1, holidays);
}

function nearestWorkingDay(day: Day, step: 1 | -1, holidays: Holidays): Day {
  for (let moved = 0; moved <= MOVED_MAX_DAYS; moved += 1) {
    const candidate = addDays(day, moved * step);
    if (isWorkingDay(candidate, holidays)) return candidate;
  }
  return day;
}

function isWorkingDay(day: Day, holidays: Holidays): boolean {
  return weekdayOf(day) < 5 && !holidays.has(day);
}

/** Monday is 0. */
function weekdayOf(day: Day): number {
  return (((daysSinceEpoch(day) + 3) % 7) + 7) % 7;
}

function daysSinceEpoch(day: Day): number {
  return Date.parse(`${day}T00:00Z`) / 86_400_000;
}

function isoDay(atMs: number): Day {
  return new Date(atMs).toISOString().slice(0, 10);
}
