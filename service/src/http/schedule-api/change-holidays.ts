import { isCountry } from '../../domain/operator.ts';
import { checkPlainText } from '../../domain/plain-text.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseDay } from '../../domain/zone.ts';
import { enterHoliday, type HolidayDeps, removeHoliday } from '../../holidays/change-holidays.ts';
import { HOLIDAY_NAME_LENGTH_MAX, HOLIDAY_SOURCE_LENGTH_MAX } from '../../holidays/holiday.ts';
import { listHolidays } from '../../holidays/list-holidays.ts';
import {
  HolidayBody,
  HolidayList,
  HolidayObject,
  HolidayParameters,
  HolidayQuery,
  RemovedHoliday,
} from '../schemas/holiday-schema.ts';
import type { StaffOperation } from '../server/api-operation.ts';
import { createFieldReader, type FieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { staffOperation } from '../staff-api/staff-operation.ts';
import { readHolidayQuery } from './read-holiday-query.ts';
import { renderHoliday } from './render-holiday.ts';

/** The staff keep the holidays of all merchants. */
export function listHolidayOperations(deps: HolidayDeps): readonly StaffOperation[] {
  return [
    staffOperation({
      method: 'GET',
      path: '/holidays',
      operationId: 'listStaffHolidays',
      permission: 'operations:read',
      summary: 'List the holidays of a country',
      description: 'With who entered each.',
      schema: { querystring: HolidayQuery, data: { 200: HolidayList } },
      async handle({ query }) {
        const holidays = await listHolidays(deps.directory, readHolidayQuery(query, deps.now()));
        const items = holidays.map((holiday) => renderHoliday(holiday, 'staff'));
        return { status: 200, message: 'Holidays listed', data: { items } };
      },
    }),
    staffOperation({
      method: 'POST',
      path: '/holidays',
      operationId: 'enterHoliday',
      permission: 'holidays:write',
      stepUp: true,
      summary: 'Enter a holiday',
      description: 'Schedules of all merchants move with it, within seconds.',
      schema: { body: HolidayBody, data: { 201: HolidayObject } },
      async handle({ caller: { actor }, body = new Map() }) {
        const holiday = await enterHoliday(deps, { actor, holiday: readHoliday(body) });
        return { status: 201, message: 'Holiday entered', data: renderHoliday(holiday, 'staff') };
      },
    }),
    staffOperation({
      method: 'DELETE',
      path: '/holidays/:country/:day',
      operationId: 'removeHoliday',
      permission: 'holidays:write',
      stepUp: true,
      summary: 'Remove a holiday',
      description: 'The country works on that day after all. Schedules move back.',
      schema: { params: HolidayParameters, data: { 200: RemovedHoliday } },
      async handle({ caller: { actor }, params }) {
        const { country = '', day: text = '' } = params;
        const day = parseDay(text);
        if (!isCountry(country) || day === undefined) throw refuse('NOT_FOUND');
        await removeHoliday(deps, { actor, country, day });
        return { status: 200, message: 'Holiday removed', data: { country, day } };
      },
    }),
  ];
}

function readHoliday(body: JsonObject) {
  const read = createFieldReader(body, Object.keys(HolidayBody.properties));
  const fields = { read, body };
  return read.checked({
    country: read.country('country'),
    day: readDay(fields),
    name: readText(fields, 'name', HOLIDAY_NAME_LENGTH_MAX),
    source: readText(fields, 'source', HOLIDAY_SOURCE_LENGTH_MAX),
  });
}

type Fields = Readonly<{ read: FieldReader; body: JsonObject }>;

function readDay({ read, body }: Fields): string | undefined {
  const value = body.get('day');
  const day = typeof value === 'string' ? parseDay(value) : undefined;
  if (value === undefined) read.problem('day', 'REQUIRED');
  else if (day === undefined) read.problem('day', 'INVALID_DATE');
  return day;
}

function readText({ read, body }: Fields, field: string, max: number): string | undefined {
  const value = body.get(field);
  const verdict =
    typeof value === 'string' && value !== ''
      ? checkPlainText(value, { codePointsMax: max })
      : 'INVALID_TEXT';
  if (value === undefined) read.problem(field, 'REQUIRED');
  else if (verdict === 'TOO_LONG') read.problem(field, 'TOO_LONG', `At most ${max} characters.`);
  else if (verdict === 'ok' && typeof value === 'string') return value;
  else read.problem(field, 'INVALID_TEXT');
  return undefined;
}
