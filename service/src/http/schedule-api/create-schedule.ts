import { createSchedule } from '../../schedules/create-schedule.ts';
import { GIVEN_ROWS_MAX } from '../../schedules/schedule.ts';
import { ScheduleBody, ScheduleObject } from '../schemas/schedule-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import type { JsonLimits } from '../server/json-limits.ts';
import { readScheduleBody } from './read-schedule-body.ts';
import type { ScheduleApiDeps } from './schedule-api-deps.ts';
import { showSchedule } from './show-schedule.ts';

/** Enough for a full list with long names and narrations. */
export const SCHEDULE_BYTES_MAX = 256 * 1024;
export const SCHEDULE_SHAPE: JsonLimits = {
  depthMax: 8,
  valuesMax: 20 * GIVEN_ROWS_MAX,
  itemsMax: 2 * GIVEN_ROWS_MAX,
  keysMax: 256,
  stringLengthMax: 16 * 1_024,
};

export function createScheduleOperation(deps: ScheduleApiDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/schedules',
    operationId: 'createSchedule',
    tag: 'Schedules',
    scope: 'transfers:write',
    permission: 'payouts:write',
    bodyBytesMax: SCHEDULE_BYTES_MAX,
    bodyShape: SCHEDULE_SHAPE,
    summary: 'Pay a list every month or week',
    description:
      'Keeps a list of payouts, given here or copied from a payout file, and pays it at every time of ' +
      'the recurrence: a payout file with `source` `schedule` is made and submitted then, and the policy ' +
      'decides about it. Funds are held when it is paid, not before. Each month or week is paid once, ' +
      'also when its day is changed or a holiday is declared. What was due while the service was down is ' +
      'made when it runs again; later than `sendLateWithin` of the policy it waits for an approval.',
    schema: { body: ScheduleBody, data: { 201: ScheduleObject } },
    async handle({ caller: { book, actor }, body = new Map() }) {
      const { order, rows } = readScheduleBody(body, true);
      if (rows === null) throw new Error('a schedule without a list was read');
      const schedule = await createSchedule(deps, { book, actor, order, rows });
      const data = await showSchedule(deps.database, schedule);
      const location = `/api/v1/payments/schedules/${schedule.id}`;
      return { status: 201, message: 'Schedule created', data, headers: { location } };
    },
  };
}
