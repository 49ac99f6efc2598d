import { changeSchedule } from '../../schedules/change-schedule.ts';
import {
  SCHEDULE_STEPS,
  type ScheduleStep,
  setScheduleState,
} from '../../schedules/set-schedule-state.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ScheduleChangeBody, ScheduleObject } from '../schemas/schedule-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { SCHEDULE_BYTES_MAX, SCHEDULE_SHAPE } from './create-schedule.ts';
import { readScheduleChange } from './read-schedule-body.ts';
import { readScheduleId } from './read-schedule-id.ts';
import type { ScheduleApiDeps } from './schedule-api-deps.ts';
import { showSchedule } from './show-schedule.ts';

export function changeScheduleOperation(deps: ScheduleApiDeps): ApiOperation {
  return {
    method: 'PUT',
    path: '/schedules/:id',
    operationId: 'changeSchedule',
    tag: 'Schedules',
    scope: 'transfers:write',
    permission: 'payouts:write',
    bodyBytesMax: SCHEDULE_BYTES_MAX,
    bodyShape: SCHEDULE_SHAPE,
    summary: 'Change a schedule',
    description:
      'For what is to come; files that were made stay as they are. Without `rows` and `payoutFileId` the ' +
      'saved list stays. You count as the maker of what it pays from then on. A month or week that was ' +
      'paid is not paid again.',
    schema: {
      params: idParameter('schedule'),
      body: ScheduleChangeBody,
      data: { 200: ScheduleObject },
    },
    async handle({ caller: { book, actor }, params, body = new Map() }) {
      const read = readScheduleChange(body);
      const request = { book, actor, id: readScheduleId(params), ...read };
      const schedule = await changeSchedule(deps, request);
      const data = await showSchedule(deps.database, schedule);
      return { status: 200, message: 'Schedule changed', data };
    },
  };
}

type StepTexts = Readonly<{ summary: string; description: string; message: string }>;

const TEXTS: Readonly<Record<ScheduleStep, StepTexts>> = {
  pause: {
    summary: 'Pause a schedule',
    description: 'Nothing is paid until it is resumed, and nothing is made up for then.',
    message: 'Schedule paused',
  },
  resume: {
    summary: 'Resume a schedule',
    description: 'Goes on with the next time that is still to come.',
    message: 'Schedule resumed',
  },
  end: {
    summary: 'End a schedule',
    description: 'For ever. Files that it made stay as they are.',
    message: 'Schedule ended',
  },
};

/** Pause, resume and end. */
export function scheduleStepOperations(deps: ScheduleApiDeps): readonly ApiOperation[] {
  return SCHEDULE_STEPS.map((step) => {
    const { message, ...texts } = TEXTS[step];
    return {
      method: 'POST',
      path: `/schedules/:id/${step}`,
      operationId: `${step}Schedule`,
      tag: 'Schedules',
      scope: 'transfers:write',
      permission: 'payouts:write',
      ...texts,
      schema: { params: idParameter('schedule'), data: { 200: ScheduleObject } },
      async handle({ caller: { book, actor }, params }) {
        const request = { book, actor, id: readScheduleId(params), step };
        const schedule = await setScheduleState(deps, request);
        const data = await showSchedule(deps.database, schedule);
        return { status: 200, message, data };
      },
    };
  });
}
