import type { Country } from '../domain/operator.ts';
import type { Holidays } from '../domain/recurrence.ts';
import type { Day } from '../domain/zone.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Holiday } from './holiday.ts';

type Days = Readonly<{ country: Country; from: Day; to: Day }>;

/** From the first day to the last, both included. */
export async function listHolidays(
  database: Queryable,
  { country, from, to }: Days,
): Promise<readonly Holiday[]> {
  const rows = await database.query<HolidayRow>(LIST, [country, from, to]);
  return rows.map((row) => ({
    country: row.country,
    day: row.day,
    name: row.name,
    source: row.source,
    enteredBy:
      row.entered_by === null ? null : { id: row.entered_by, name: row.entered_by_name ?? '' },
    enteredAt: row.entered_at,
  }));
}

/** The days of a country, and the number of the change by which they are these. */
export type HolidayCalendar = Readonly<{ days: Holidays; version: number }>;

/** All that are entered. There are some 20 in a year, and people enter a few years. */
export async function readHolidayCalendar(
  database: Queryable,
  country: Country,
): Promise<HolidayCalendar> {
  const [row] = await database.query<{ version: number; days: Day[] }>(CALENDAR, [country]);
  if (row === undefined) throw new Error(`the country ${country} has no row of holidays`);
  return { days: new Set(row.days), version: row.version };
}

type HolidayRow = {
  country: Country;
  day: Day;
  name: string;
  source: string;
  entered_by: string | null;
  entered_by_name: string | null;
  entered_at: Date;
};

const LIST: Statement = {
  name: 'list-holidays',
  text: `
    select country, day, name, source, entered_by, entered_by_name, entered_at
    from holidays
    where country = $1 and day between $2::date and $3::date
    order by day`,
};

const CALENDAR: Statement = {
  name: 'read-holiday-calendar',
  text: `
    select v.version,
      array(select h.day::text from holidays h where h.country = v.country order by h.day) as days
    from holiday_versions v
    where v.country = $1`,
};
