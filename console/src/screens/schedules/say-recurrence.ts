import type { Recurrence } from '../../api/schedule-types.ts';
import { schedules } from '../../texts/en/schedules.ts';

const { says: texts, weekdays } = schedules;

/** `Last working day of every month, 08:30`. */
export function sayRecurrence({ every, day, at }: Recurrence): string {
  return texts.at(every === 'week' ? texts.week(nameWeekday(day)) : texts.month(nameDay(day)), at);
}

function nameDay(day: number | string): string {
  if (day === 'last') return texts.last;
  return day === 'last_working_day' ? texts.last_working_day : texts.number(Number(day));
}

function nameWeekday(day: number | string): string {
  const found = Object.entries(weekdays).find(([word]) => word === day);
  return found?.[1] ?? String(day);
}

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT = 3;

/** Put together here: browsers do not agree on the comma. */
function partsOf(day: string) {
  const parts = FORMAT.formatToParts(new Date(`${day}T00:00Z`));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? '';
  return { weekday: part('weekday'), day: part('day'), month: part('month'), year: part('year') };
}

/** A day of the calendar, in no zone: `Fri, 30 Oct`. */
export function sayDay(text: string): string {
  const { weekday, day, month } = partsOf(text);
  return `${weekday.slice(0, SHORT)}, ${day} ${month.slice(0, SHORT)}`;
}

/** `Friday 30 October 2026`. */
export function sayLongDay(text: string): string {
  const { weekday, day, month, year } = partsOf(text);
  return `${weekday} ${day} ${month} ${year}`;
}

/** `October 2026`. */
export function sayMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00Z`));
}

/** The month this many later. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}
