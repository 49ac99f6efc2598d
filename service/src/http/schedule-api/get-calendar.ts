import { fieldProblem } from '../../domain/field-problem.ts';
import { isCountry } from '../../domain/operator.ts';
import { refuse } from '../../domain/refusal.ts';
import { zoneOf } from '../../domain/zone.ts';
import { listHolidays } from '../../holidays/list-holidays.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findHomeCountry } from '../../schedules/find-home-country.ts';
import { readCalendar } from '../../schedules/read-calendar.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { HolidayList, HolidayQuery } from '../schemas/holiday-schema.ts';
import { CalendarObject, CalendarQuery, MONTH_PATTERN } from '../schemas/schedule-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { readHolidayQuery } from './read-holiday-query.ts';
import { renderHoliday } from './render-holiday.ts';
import { renderDay } from './render-schedule.ts';

type CalendarDeps = Readonly<{ database: Queryable; now: () => Date }>;

const reads = { tag: 'Schedules', scope: 'read', permission: 'payouts:read' } as const;
const MONTH = new RegExp(MONTH_PATTERN);

export function getCalendarOperation({ database }: CalendarDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/calendar',
    operationId: 'getCalendar',
    readsPage: true,
    summary: 'Get a month of the calendar',
    description:
      'What is to be paid on each day: transfers with `sendAt` that are still scheduled, payout files ' +
      'with a time, and schedules; of days that are over the files.',
    schema: { querystring: CalendarQuery, data: { 200: CalendarObject } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(CalendarQuery.properties));
      const asked = read.checked({
        month: read.word('month', isMonth, 'INVALID_DATE', 'A month such as 2026-12.'),
        country: read.word('country', isCountry, 'INVALID_COUNTRY'),
      });
      const { month } = asked;
      if (month === null) {
        throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('month', 'REQUIRED')] });
      }
      const country = asked.country ?? (await findHomeCountry(database, book.id));
      const days = await readCalendar(database, { bookId: book.id, country, month });
      const data = { month, country, zone: zoneOf(country), days: days.map(renderDay) };
      return { status: 200, message: 'Calendar found', data };
    },
  };
}

export function listHolidaysOperation({ database, now }: CalendarDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/holidays',
    operationId: 'listHolidays',
    summary: 'List the holidays of a country',
    description:
      'The holidays that schedules follow. Days that the law fixes come with the service until 2028; Kafue ' +
      'staff enter what is declared, such as Islamic holidays.',
    schema: { querystring: HolidayQuery, data: { 200: HolidayList } },
    async handle({ query }) {
      const holidays = await listHolidays(database, readHolidayQuery(query, now()));
      const items = holidays.map((holiday) => renderHoliday(holiday, 'merchant'));
      return { status: 200, message: 'Holidays listed', data: { items } };
    },
  };
}

function isMonth(text: string): text is string {
  return MONTH.test(text);
}
