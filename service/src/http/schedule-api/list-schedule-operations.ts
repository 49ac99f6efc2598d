import type { ApiOperation } from '../server/api-operation.ts';
import { changeScheduleOperation, scheduleStepOperations } from './change-schedule.ts';
import { createScheduleOperation } from './create-schedule.ts';
import { getCalendarOperation, listHolidaysOperation } from './get-calendar.ts';
import {
  getScheduleOperation,
  listOccurrencesOperation,
  listScheduleRowsOperation,
  listSchedulesOperation,
} from './list-schedules.ts';
import { getNextDatesOperation, previewDatesOperation } from './next-dates.ts';
import type { ScheduleApiDeps } from './schedule-api-deps.ts';

/** Schedules of a book, its calendar, and the holidays that they go by. */
export function listScheduleOperations(deps: ScheduleApiDeps): readonly ApiOperation[] {
  return [
    createScheduleOperation(deps),
    listSchedulesOperation(deps),
    previewDatesOperation(deps),
    getScheduleOperation(deps),
    changeScheduleOperation(deps),
    ...scheduleStepOperations(deps),
    getNextDatesOperation(deps),
    listScheduleRowsOperation(deps),
    listOccurrencesOperation(deps),
    getCalendarOperation(deps),
    listHolidaysOperation(deps),
  ];
}
