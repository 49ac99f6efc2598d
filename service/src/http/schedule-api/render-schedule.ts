import { formatMinor, minorToNumber } from '../../domain/money.ts';
import { nextOccurrences, type Occurrence } from '../../domain/recurrence.ts';
import type { HolidayCalendar } from '../../holidays/list-holidays.ts';
import type { NumberedRow } from '../../schedules/list-rows.ts';
import type { CalendarDay, CalendarItem } from '../../schedules/read-calendar.ts';
import type { MadeOccurrence, Schedule } from '../../schedules/schedule.ts';
import { versionOf } from '../../schedules/schedule-version.ts';
import { renderHoliday } from './render-holiday.ts';

/** How many of its next times a schedule shows. */
export const DATES_SHOWN = 5;

type Beside = Readonly<{
  calendar: HolidayCalendar;
  last: MadeOccurrence | undefined;
  refused: MadeOccurrence | undefined;
}>;

export function renderSchedule(schedule: Schedule, { calendar, last, refused }: Beside) {
  const { id, name, walletId, country, currency, state, madeBy } = schedule;
  const { rule, rowsTotal, sumMinor, nextAt, nextPeriod, createdAt, updatedAt, endedAt } = schedule;
  const { every, day, at, ifHoliday, zone } = rule;
  const next = { period: nextPeriod, count: state === 'active' ? DATES_SHOWN : 0 };
  return {
    id,
    name,
    walletId,
    country,
    currency,
    recurrence: { every, day, at, ifHoliday },
    zone,
    state,
    payouts: rowsTotal,
    sum: formatMinor(sumMinor),
    nextAt: nextAt?.toISOString() ?? null,
    next: nextOccurrences(rule, next, calendar.days).map(renderDate),
    last: last === undefined ? null : renderMade(last),
    refused: refused === undefined ? null : renderMade(refused),
    madeBy,
    version: versionOf(schedule),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

export function renderDate({ period, day, payDay, at }: Occurrence) {
  return { period, ruleDay: day, payDay, payAt: at.toISOString() };
}

export function renderMade(made: MadeOccurrence) {
  return {
    period: made.period,
    payAt: made.payAt.toISOString(),
    madeAt: made.madeAt.toISOString(),
    payoutFileId: made.fileId,
    state: made.state,
    waitsBecause: made.waitsBecause,
    refusal: made.refusal,
  };
}

export function renderScheduledPayout({ amountMinor, ...row }: NumberedRow) {
  return { ...row, amount: minorToNumber(amountMinor) };
}

export function renderDay({ date, count, sums, holidays, items }: CalendarDay) {
  return {
    date,
    count,
    sums: sums.map(({ currency, sumMinor }) => ({ currency, sum: formatMinor(sumMinor) })),
    holidays: holidays.map((holiday) => renderHoliday(holiday, 'merchant')),
    items: items.map(renderItem),
  };
}

function renderItem({
  kind,
  scheduleId,
  fileId,
  name,
  at,
  count,
  sumMinor,
  ...rest
}: CalendarItem) {
  return {
    kind,
    scheduleId,
    payoutFileId: fileId,
    name,
    at: at.toISOString(),
    count,
    sum: formatMinor(sumMinor),
    ...rest,
  };
}
