import { EXAMPLE_IDS, order, walletId } from './example-objects.ts';
import type { OperationExample } from './examples.ts';

const recurrence = { every: 'month', day: 'last_working_day', at: '08:30', ifHoliday: 'before' };
const { amount, phone, operator, country, narration, recipientName } = order;
const scheduleOrder = {
  name: 'Salaries',
  walletId,
  recurrence,
  rows: [{ amount, phone, operator, country, narration, recipientName }],
};
const dates = [
  ['2026-11', '2026-11-30', '2026-11-30'],
  ['2026-12', '2026-12-31', '2026-12-31'],
].map(([period, ruleDay, payDay]) => ({
  period,
  ruleDay,
  payDay,
  payAt: `${payDay}T06:30:00.000Z`,
}));
const schedule = {
  id: EXAMPLE_IDS.schedule,
  name: scheduleOrder.name,
  walletId,
  country,
  currency: 'ZMW',
  recurrence,
  zone: 'Africa/Lusaka',
  state: 'active',
  payouts: 1,
  sum: '25.50',
  nextAt: dates[0]?.payAt ?? null,
  next: dates,
  last: null,
  refused: null,
  madeBy: { kind: 'key', id: '019a8e02-7710-7c01-8f43-a25e6d9b1c08', name: 'Payroll' },
  version: '5f2c1a9be07d4386a1c94e6b2d803f75',
  createdAt: '2026-11-15T08:00:00.000Z',
  updatedAt: '2026-11-15T08:00:00.000Z',
  endedAt: null,
};
const holiday = {
  country: 'zm',
  day: '2026-12-25',
  name: 'Christmas Day',
  source: 'Public Holidays Act of Zambia',
  enteredBy: 'Kafue',
  enteredAt: '2026-01-01T00:00:00.000Z',
};

const params = { id: EXAMPLE_IDS.schedule };
const found = (message: string, data: unknown) => ({ status: 200, message, data });
const pageOf = (item: object) => ({ items: [item], nextCursor: null });

/** Of schedules, the calendar and holidays, by operationId. */
export const SCHEDULE_EXAMPLES: Readonly<Record<string, OperationExample>> = {
  createSchedule: { body: scheduleOrder, status: 201, message: 'Schedule created', data: schedule },
  listSchedules: found('Schedules listed', pageOf(schedule)),
  previewDates: {
    query: { country: 'zm', every: 'month', day: 'last_working_day', at: '08:30' },
    ...found('Dates found', { zone: 'Africa/Lusaka', items: dates }),
  },
  getSchedule: { params, ...found('Schedule found', schedule) },
  changeSchedule: {
    params,
    body: scheduleOrder,
    ...found('Schedule changed', schedule),
  },
  pauseSchedule: {
    params,
    ...found('Schedule paused', { ...schedule, state: 'paused', nextAt: null, next: [] }),
  },
  resumeSchedule: { params, ...found('Schedule resumed', schedule) },
  endSchedule: {
    params,
    ...found('Schedule ended', {
      ...schedule,
      state: 'ended',
      nextAt: null,
      next: [],
      endedAt: '2026-11-15T08:00:00.000Z',
    }),
  },
  getNextDates: { params, ...found('Dates found', { zone: 'Africa/Lusaka', items: dates }) },
  listScheduleRows: {
    params,
    ...found(
      'Payouts listed',
      pageOf({
        number: 1,
        phone: '+260977433571',
        operator,
        country,
        amount,
        recipientName,
        narration,
      }),
    ),
  },
  listOccurrences: {
    params,
    ...found('Occurrences listed', {
      items: [
        {
          period: '2026-10',
          payAt: '2026-10-30T06:30:00.000Z',
          madeAt: '2026-10-30T06:30:00.412Z',
          payoutFileId: '019a3447-6d10-7b7e-8a3c-9e420b6c7110',
          state: 'submitted',
          waitsBecause: null,
          refusal: null,
        },
      ],
    }),
  },
  getCalendar: {
    query: { month: '2026-12', country: 'zm' },
    ...found('Calendar found', {
      month: '2026-12',
      country: 'zm',
      zone: 'Africa/Lusaka',
      days: [{ date: '2026-12-01', count: 0, sums: [], holidays: [], items: [] }],
    }),
  },
  listHolidays: {
    query: { country: 'zm', year: '2026' },
    ...found('Holidays listed', { items: [holiday] }),
  },
};
