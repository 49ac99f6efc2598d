import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findSchedule, listSchedules } from '../../schedules/find-schedule.ts';
import { listScheduleRows } from '../../schedules/list-rows.ts';
import { readOccurrences } from '../../schedules/read-occurrences.ts';
import { createQueryReader, encodeCursor } from '../merchant-api/read-page.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import {
  OccurrenceList,
  ScheduleListQuery,
  ScheduleObject,
  SchedulePage,
  ScheduleRowPage,
} from '../schemas/schedule-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { readScheduleId } from './read-schedule-id.ts';
import { renderMade, renderScheduledPayout } from './render-schedule.ts';
import { showSchedule, showSchedules } from './show-schedule.ts';

type ReadDeps = Readonly<{ database: Queryable }>;

const reads = { tag: 'Schedules', scope: 'read', permission: 'payouts:read' } as const;
const LIST = 'schedules';
const ROWS = 'schedule-rows';

export function listSchedulesOperation({ database }: ReadDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules',
    operationId: 'listSchedules',
    readsPage: true,
    summary: 'List schedules',
    description: 'Newest first, also ended ones. Each shows its next five times.',
    schema: { querystring: ScheduleListQuery, data: { 200: SchedulePage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(ScheduleListQuery.properties));
      const page = read.checked({ limit: read.limit(), before: read.cursor(LIST, parseUuid) });
      const { items, nextCursor } = await listSchedules(database, { bookId: book.id, ...page });
      return {
        status: 200,
        message: 'Schedules listed',
        data: {
          items: await showSchedules(database, items),
          nextCursor: nextCursor === null ? null : encodeCursor(LIST, nextCursor),
        },
      };
    },
  };
}

export function getScheduleOperation({ database }: ReadDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules/:id',
    operationId: 'getSchedule',
    summary: 'Get a schedule',
    description: 'With its next five times, and what it made last.',
    schema: { params: idParameter('schedule'), data: { 200: ScheduleObject } },
    async handle({ caller: { book }, params }) {
      const id = readScheduleId(params);
      const schedule = await findSchedule(database, { bookId: book.id, id });
      const data = await showSchedule(database, schedule);
      return { status: 200, message: 'Schedule found', data };
    },
  };
}

export function listScheduleRowsOperation({ database }: ReadDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules/:id/rows',
    operationId: 'listScheduleRows',
    readsPage: true,
    summary: 'List the payouts of a schedule',
    description: 'The saved list, in its order.',
    schema: {
      params: idParameter('schedule'),
      querystring: ScheduleListQuery,
      data: { 200: ScheduleRowPage },
    },
    async handle({ caller: { book }, params, query }) {
      const read = createQueryReader(query, Object.keys(ScheduleListQuery.properties));
      const page = read.checked({ limit: read.limit(), after: read.cursor(ROWS, parseNumber) });
      const id = readScheduleId(params);
      await findSchedule(database, { bookId: book.id, id });
      const listed = await listScheduleRows(database, { bookId: book.id, scheduleId: id, ...page });
      return {
        status: 200,
        message: 'Payouts listed',
        data: {
          items: listed.items.map(renderScheduledPayout),
          nextCursor: listed.nextCursor === null ? null : encodeCursor(ROWS, listed.nextCursor),
        },
      };
    },
  };
}

function parseNumber(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
}

export function listOccurrencesOperation({ database }: ReadDeps): ApiOperation {
  return {
    ...reads,
    method: 'GET',
    path: '/schedules/:id/occurrences',
    operationId: 'listOccurrences',
    readsPage: true,
    summary: 'List what a schedule made',
    description: 'Latest first, with the payout file of each.',
    schema: { params: idParameter('schedule'), data: { 200: OccurrenceList } },
    async handle({ caller: { book }, params }) {
      const scheduleId = readScheduleId(params);
      await findSchedule(database, { bookId: book.id, id: scheduleId });
      const made = await readOccurrences(database, { bookId: book.id, scheduleId });
      return { status: 200, message: 'Occurrences listed', data: { items: made.map(renderMade) } };
    },
  };
}
