import type { ScheduleDeps } from '../../schedules/create-schedule.ts';

/** What the operations on schedules, the calendar and holidays work with. */
export type ScheduleApiDeps = ScheduleDeps;
