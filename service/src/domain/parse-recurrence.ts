import {
  HOLIDAY_RULES,
  type HolidayRule,
  type MonthDay,
  type RecurrenceChoice,
  WEEKDAYS,
  type Weekday,
} from './recurrence.ts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const MONTH_DAY_MAX = 31;

/** The parts of a recurrence as they were given, each unknown. */
export type GivenRecurrence = Readonly<Record<'every' | 'day' | 'at' | 'ifHoliday', unknown>>;

/** A recurrence, or the part that is wrong and what it may be. */
export type ReadRecurrence =
  | Readonly<{ choice: RecurrenceChoice }>
  | Readonly<{ part: keyof GivenRecurrence; message: string }>;

/** Days of a month may be text too, since a query has nothing else. `ifHoliday` left out: the same day. */
export function parseRecurrence({ every, day, at, ifHoliday }: GivenRecurrence): ReadRecurrence {
  if (typeof at !== 'string' || !TIME.test(at)) return { part: 'at', message: AT };
  const rule = ifHoliday === undefined || ifHoliday === null ? 'same' : ifHoliday;
  if (!isHolidayRule(rule)) return { part: 'ifHoliday', message: IF_HOLIDAY };
  const clock = { at, ifHoliday: rule };
  if (every === 'month') {
    const found = readMonthDay(day);
    if (found === undefined) return { part: 'day', message: DAY_OF_MONTH };
    return { choice: { ...clock, every, day: found } };
  }
  if (every !== 'week') return { part: 'every', message: 'month or week.' };
  if (!isWeekday(day)) return { part: 'day', message: `One of ${WEEKDAYS.join(', ')}.` };
  return { choice: { ...clock, every, day } };
}

const AT = 'The time that clocks show there, such as 08:30.';
const IF_HOLIDAY = `One of ${HOLIDAY_RULES.join(', ')}.`;
const DAY_OF_MONTH = `1 to ${MONTH_DAY_MAX}, last or last_working_day.`;

function readMonthDay(day: unknown): MonthDay | undefined {
  if (day === 'last' || day === 'last_working_day') return day;
  const isWritten = typeof day === 'string' && /^[1-9]\d?$/.test(day);
  const number = isWritten ? Number(day) : day;
  const isDay =
    typeof number === 'number' &&
    Number.isInteger(number) &&
    number >= 1 &&
    number <= MONTH_DAY_MAX;
  return isDay ? number : undefined;
}

function isHolidayRule(value: unknown): value is HolidayRule {
  return HOLIDAY_RULES.some((known) => known === value);
}

function isWeekday(value: unknown): value is Weekday {
  return WEEKDAYS.some((known) => known === value);
}
