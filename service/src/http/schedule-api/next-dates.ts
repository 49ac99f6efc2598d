import { type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import { isCountry } from '../../domain/operator.ts';
import { parseRecurrence } from '../../domain/parse-recurrence.ts';
import {
  firstPeriod,
  HOLIDAY_RULES,
  nextOccurrences,
  type Recurrence,
} from '../../domain/recurrence.ts';
import { refuse } from '../../domain/refusal.ts';
import { zoneOf } from '../../domain/zone.ts';
import { readHolidayCalendar } from '../../holidays/list-holidays.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findSchedule } from '../../schedules/find-schedule.ts';
import { createQueryReader } from '../merchant-api/read-page.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ScheduleDates, ScheduleDatesQuery } from '../schemas/schedule-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { readScheduleId } from './read-schedule-id.ts';
import { DATES_SHOWN, renderDate } from './render-schedule.ts';

type DatesDeps = Readonly<{ database: Queryable; now: () => Date }>;

const reads = { tag: 'Schedules', scope: 'read', permission: 'payouts:read' } as const;

export function getNextDatesOperation({ database }: DatesDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules/:id/next',
    operationId: 'getNextDates',
    summary: 'Get the next five times of a schedule',
    description: 'By the holidays that are known now. One that is paused or has ended has none.',
    schema: { params: idParameter('schedule'), data: { 200: ScheduleDates } },
    async handle({ caller: { book }, params }) {
      const id = readScheduleId(params);
      const { rule, country, nextPeriod, state } = await findSchedule(database, {
        bookId: book.id,
        id,
      });
      const { days } = await readHolidayCalendar(database, country);
      const next = { period: nextPeriod, count: state === 'active' ? DATES_SHOWN : 0 };
      const items = nextOccurrences(rule, next, days).map(renderDate);
      return { status: 200, message: 'Dates found', data: { zone: rule.zone, items } };
    },
  };
}

export function previewDatesOperation({ database, now }: DatesDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules/dates',
    operationId: 'previewDates',
    summary: 'Show when a recurrence would be paid',
    description: 'The next five times of a recurrence that is not stored.',
    schema: { querystring: ScheduleDatesQuery, data: { 200: ScheduleDates } },
    async handle({ query }) {
      const { country, rule } = readDatesQuery(query);
      const { days } = await readHolidayCalendar(database, country);
      const next = { period: firstPeriod(rule, now(), days), count: DATES_SHOWN };
      const items = nextOccurrences(rule, next, days).map(renderDate);
      return { status: 200, message: 'Dates found', data: { zone: rule.zone, items } };
    },
  };
}

function readDatesQuery(query: URLSearchParams) {
  const read = createQueryReader(query, Object.keys(ScheduleDatesQuery.properties));
  const text = (field: string, test: (given: string) => given is string, message?: string) =>
    read.word(field, test, 'INVALID_RECURRENCE', message);
  const { country, ...parts } = read.checked({
    country: read.word('country', isCountry, 'INVALID_COUNTRY'),
    every: text('every', isOneOf(['month', 'week']), 'month or week.'),
    day: text('day', isShort),
    at: text('at', isShort),
    ifHoliday: text('ifHoliday', isOneOf(HOLIDAY_RULES), `One of ${HOLIDAY_RULES.join(', ')}.`),
  });
  const missing = Object.entries({ country, ...parts, ifHoliday: '' })
    .filter(([, value]) => value === null)
    .map(([field]) => fieldProblem(field, 'REQUIRED'));
  if (missing.length > 0 || country === null) throw refused(missing);
  const found = parseRecurrence(parts);
  if (!('choice' in found)) {
    throw refused([fieldProblem(found.part, 'INVALID_RECURRENCE', found.message)]);
  }
  const rule: Recurrence = { ...found.choice, zone: zoneOf(country) };
  return { country, rule };
}

function refused(fields: readonly FieldProblem[]): Error {
  return refuse('VALIDATION_ERROR', { fields });
}

function isOneOf(words: readonly string[]) {
  return (text: string): text is string => words.includes(text);
}

/** Whether it is right is looked at with the other parts. */
function isShort(text: string): text is string {
  return text.length <= 20;
}
