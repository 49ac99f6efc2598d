import { readHolidayCalendar } from '../../holidays/list-holidays.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readLastOccurrences, readRefusedOccurrences } from '../../schedules/read-occurrences.ts';
import type { Schedule } from '../../schedules/schedule.ts';
import { renderSchedule } from './render-schedule.ts';

/** Schedules of one book with their next times what they made last and what was refused. */
export async function showSchedules(database: Queryable, schedules: readonly Schedule[]) {
  const [first] = schedules;
  if (first === undefined) return [];
  const scheduleIds = schedules.map(({ id }) => id);
  const { bookId } = first;
  const last = await readLastOccurrences(database, { bookId, scheduleIds });
  const refused = await readRefusedOccurrences(database, { bookId, scheduleIds });
  const countries = [...new Set(schedules.map(({ country }) => country))];
  const calendars = new Map(
    await Promise.all(
      countries.map(async (one) => [one, await readHolidayCalendar(database, one)] as const),
    ),
  );
  return schedules.map((schedule) => {
    const calendar = calendars.get(schedule.country) ?? { days: new Set<string>(), version: 0 };
    const { id } = schedule;
    return renderSchedule(schedule, { calendar, last: last.get(id), refused: refused.get(id) });
  });
}

export async function showSchedule(database: Queryable, schedule: Schedule) {
  const [shown] = await showSchedules(database, [schedule]);
  return shown;
}
