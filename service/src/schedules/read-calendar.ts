import type { Currency } from '../domain/money.ts';
import type { Country } from '../domain/operator.ts';
import { firstPeriod, type Holidays, occurrenceOf } from '../domain/recurrence.ts';
import { addDays, type Day, dayIn, instantIn, zoneOf } from '../domain/zone.ts';
import type { Holiday } from '../holidays/holiday.ts';
import { listHolidays, readHolidayCalendar } from '../holidays/list-holidays.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { SCHEDULES_MAX, type Schedule } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';

/** Files of one month that are shown, of both kinds together. */
const FILES_MAX = 500;

/** What is to be paid, or was, on one day. */
export type CalendarItem = Readonly<{
  /** Scheduled transfers together; a file with a time; a schedule that is to come, or its file. */
  kind: 'transfers' | 'file' | 'schedule';
  /** The schedule's; null: of transfers, or of a file that no schedule made. */
  scheduleId: string | null;
  /** Null: of transfers, or not made yet. */
  fileId: string | null;
  name: string | null;
  at: Date;
  count: number;
  sumMinor: bigint;
  currency: Currency;
  /** The file's; null: there is none yet. */
  state: string | null;
  /** Why the file of a schedule is still a draft; null: it is none, or was not refused. */
  refusal: Readonly<{ code: string; message: string }> | null;
}>;

export type CalendarDay = Readonly<{
  date: Day;
  count: number;
  sums: readonly Readonly<{ currency: Currency; sumMinor: bigint }>[];
  holidays: readonly Holiday[];
  items: readonly CalendarItem[];
}>;

type Month = Readonly<{ bookId: string; country: Country; month: string }>;

/** One month by the days of a country. Transfers are shown while they are scheduled: once sent they are in their list. */
export async function readCalendar(
  database: Queryable,
  { bookId, country, month }: Month,
): Promise<readonly CalendarDay[]> {
  const zone = zoneOf(country);
  const days = daysOf(month);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const from = instantIn(zone, first, '00:00');
  const to = instantIn(zone, addDays(last, 1), '00:00');
  const range = { bookId, from, to, zone };
  const items = [
    ...(await readTransfers(database, range)),
    ...(await readFiles(database, range)),
    ...(await readComing(database, range)),
  ];
  const holidays = await listHolidays(database, { country, from: first, to: last });
  return days.map((date) => {
    const own = items
      .filter(({ at }) => dayIn(zone, at) === date)
      .sort((a, b) => a.at.getTime() - b.at.getTime());
    return {
      date,
      // A file that was cancelled is shown and pays nothing.
      ...total(own.filter(({ state }) => state !== 'cancelled')),
      holidays: holidays.filter(({ day }) => day === date),
      items: own,
    };
  });
}

function total(items: readonly CalendarItem[]): Pick<CalendarDay, 'count' | 'sums'> {
  const sums = new Map<Currency, bigint>();
  for (const { currency, sumMinor } of items) {
    sums.set(currency, (sums.get(currency) ?? 0n) + sumMinor);
  }
  return {
    count: items.reduce((sum, { count }) => sum + count, 0),
    sums: [...sums].map(([currency, sumMinor]) => ({ currency, sumMinor })),
  };
}

function daysOf(month: string): readonly Day[] {
  const days: Day[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}

type Range = Readonly<{ bookId: string; from: Date; to: Date; zone: string }>;

async function readTransfers(database: Queryable, range: Range): Promise<readonly CalendarItem[]> {
  const values = [range.bookId, range.from, range.to, range.zone];
  const rows = await database.query<SumRow>(TRANSFERS, values);
  return rows.map(({ at, count, sum, currency }) => ({
    kind: 'transfers',
    scheduleId: null,
    fileId: null,
    name: null,
    at,
    count,
    sumMinor: sum,
    currency,
    state: null,
    refusal: null,
  }));
}

async function readFiles(database: Queryable, range: Range): Promise<readonly CalendarItem[]> {
  const rows = await database.query<SumRow & FileRow>(FILES, [
    range.bookId,
    range.from,
    range.to,
    FILES_MAX,
  ]);
  return rows.map(({ id, schedule_id, name, state, at, count, sum, currency, ...rest }) => ({
    kind: schedule_id === null ? 'file' : 'schedule',
    scheduleId: schedule_id,
    fileId: id,
    name,
    at,
    count,
    sumMinor: sum,
    currency,
    state,
    refusal: refusalOf(rest),
  }));
}

/** What active schedules will make. */
async function readComing(database: Queryable, range: Range): Promise<readonly CalendarItem[]> {
  const values = [range.bookId, SCHEDULES_MAX];
  const schedules = (await database.query<ScheduleRecord>(ACTIVE, values)).map(toSchedule);
  const calendars = new Map<Country, Holidays>();
  for (const { country } of schedules) {
    if (calendars.has(country)) continue;
    calendars.set(country, (await readHolidayCalendar(database, country)).days);
  }
  return schedules.flatMap((schedule) =>
    comingOf(schedule, range, calendars.get(schedule.country) ?? new Set()),
  );
}

function comingOf(
  schedule: Schedule,
  { from, to }: Range,
  holidays: Holidays,
): readonly CalendarItem[] {
  const items: CalendarItem[] = [];
  let period = Math.max(schedule.nextPeriod, firstPeriod(schedule.rule, from, holidays));
  for (;;) {
    const { at } = occurrenceOf(schedule.rule, period, holidays);
    if (at >= to) return items;
    period += 1;
    items.push({
      kind: 'schedule',
      scheduleId: schedule.id,
      fileId: null,
      name: schedule.name,
      at,
      count: schedule.rowsTotal,
      sumMinor: schedule.sumMinor,
      currency: schedule.currency,
      state: null,
      refusal: null,
    });
  }
}

type SumRow = { at: Date; count: number; sum: bigint; currency: Currency };
type FileRow = RefusalRow & { id: string; schedule_id: string | null; name: string; state: string };
type RefusalRow = { refusal_code: string | null; refusal_detail: string | null };

function refusalOf({ refusal_code: code, refusal_detail: message }: RefusalRow) {
  return code === null ? null : { code, message: message ?? '' };
}

// By the index of what is due: only what is still scheduled is read.
const TRANSFERS: Statement = {
  name: 'calendar-transfers',
  text: `
    select min(t.send_at) as at, count(*)::integer as count, sum(t.amount_minor)::bigint as sum, t.currency
    from transfers t
    where t.route = '-' and t.book_id = $1 and t.state = 'scheduled' and t.next_action_at is not null
      and t.send_at >= $2 and t.send_at < $3
    group by (t.send_at at time zone $4::text)::date, t.currency`,
};

// A person may have submitted the file of a schedule with another time: then that one counts.
const FILES: Statement = {
  name: 'calendar-files',
  text: `
    select f.id, f.schedule_id, f.name, f.state, f.pay_at as at,
      f.rows_total - f.rows_dropped as count, f.sum_minor as sum, f.currency,
      null as refusal_code, null as refusal_detail
    from payout_files f
    where f.book_id = $1 and f.pay_at >= $2 and f.pay_at < $3
    union all
    select f.id, o.schedule_id, f.name, f.state, o.pay_at, f.rows_total - f.rows_dropped, f.sum_minor, f.currency,
      o.refusal_code, o.refusal_detail
    from schedule_occurrences o
    join payout_files f on f.book_id = o.book_id and f.id = o.file_id
    where o.book_id = $1 and o.pay_at >= $2 and o.pay_at < $3 and f.pay_at is null
    order by at
    limit $4`,
};

const ACTIVE: Statement = {
  name: 'calendar-schedules',
  text: `
    select ${SCHEDULE_COLUMNS} from schedules s
    where s.book_id = $1 and s.state = 'active'
    order by s.id
    limit $2`,
};
