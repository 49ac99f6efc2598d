import { withoutPutOff } from '../cells/move/moving-work.ts';
import type { Currency } from '../domain/money.ts';
import type { Country } from '../domain/operator.ts';
import type { HolidayRule, MonthDay, Recurrence, Weekday } from '../domain/recurrence.ts';
import type { Row } from '../postgres/database.ts';
import type { Schedule, ScheduleState } from './schedule.ts';

export const SCHEDULE_COLUMNS = `
  s.book_id, s.id, s.name, s.wallet_id, s.country, s.currency, s.every, s.day, s.at, s.zone, s.if_holiday, s.state,
  s.next_period, s.next_at, s.rows_total, s.sum_minor, s.made_by, s.made_by_key, s.made_by_name, s.rows_made_by, s.created_at,
  s.updated_at, s.ended_at`;

export type ScheduleRecord = Row & {
  book_id: string;
  id: string;
  name: string;
  wallet_id: string;
  country: Country;
  currency: Currency;
  every: Recurrence['every'];
  day: string;
  at: string;
  zone: string;
  if_holiday: HolidayRule;
  state: ScheduleState;
  next_period: number;
  next_at: Date | null;
  rows_total: number;
  sum_minor: bigint;
  made_by: string | null;
  made_by_key: string | null;
  made_by_name: string;
  /** All makers. The name is that of a release in which it held those of the list alone. */
  rows_made_by: readonly string[];
  created_at: Date;
  updated_at: Date;
  ended_at: Date | null;
};

export function toSchedule(row: ScheduleRecord): Schedule {
  const madeBy = {
    kind: row.made_by === null ? 'key' : 'person',
    id: row.made_by ?? row.made_by_key ?? '',
    name: row.made_by_name,
  } as const;
  return {
    bookId: row.book_id,
    id: row.id,
    name: row.name,
    walletId: row.wallet_id,
    country: row.country,
    currency: row.currency,
    rule: toRule(row),
    state: row.state,
    nextPeriod: row.next_period,
    nextAt: withoutPutOff(row.next_at),
    rowsTotal: row.rows_total,
    sumMinor: row.sum_minor,
    madeBy,
    // A process of that release adds who changed it to `made_by` alone.
    makers: [...new Set([...row.rows_made_by, `${madeBy.kind}:${madeBy.id}`])],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    endedAt: row.ended_at,
  };
}

function toRule({ every, day, at, zone, if_holiday }: ScheduleRecord): Recurrence {
  const clock = { at, zone, ifHoliday: if_holiday };
  // The database holds that the day fits `every`.
  return every === 'month'
    ? { ...clock, every, day: /^\d+$/.test(day) ? Number(day) : (day as MonthDay) }
    : { ...clock, every, day: day as Weekday };
}
