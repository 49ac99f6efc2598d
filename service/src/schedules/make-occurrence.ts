import { ofOpenMerchant } from '../cells/move/moving-merchant.ts';
import type { Book } from '../domain/book.ts';
import { occurrenceOf } from '../domain/recurrence.ts';
import { type HolidayCalendar, readHolidayCalendar } from '../holidays/list-holidays.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { BOOK_COLUMNS, type BookRow, toBook } from './book-row.ts';
import { findWaitReason } from './find-wait-reason.ts';
import type { Schedule } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';
import { storeOccurrenceFile } from './store-occurrence-file.ts';

export type MakeDeps = Readonly<{ database: Database; newId: () => string }>;

/** `none`: nothing is due that another process does not have. */
export type Made = 'none' | 'moved' | Readonly<{ fileId: string; scheduleId: string }>;

/**
 * Takes one schedule that is due, or whose holidays have changed. If its time has come, by the database's clock, its
 * occurrence and payout file are stored and its next period is written, all in one transaction: if a fault stops the
 * process, either all of it happened or nothing. The period is the key of the occurrence, so a second process
 * or a clock that is set back cannot make it twice. Only the period that was made moves the schedule on, so a clock that
 * is set forward or a long outage leaves none out.
 */
export async function makeOccurrence({ database, newId }: MakeDeps): Promise<Made> {
  return database.transaction(async (tx) => {
    const [taken] = await tx.query<DueRow>(TAKE_DUE);
    const row = taken ?? (await tx.query<DueRow>(TAKE_OUTDATED))[0];
    if (row === undefined) return 'none';
    const due = toDue(row);
    const calendar = await readHolidayCalendar(tx, due.schedule.country);
    const { schedule } = due;
    const occurrence = occurrenceOf(schedule.rule, schedule.nextPeriod, calendar.days);
    if (occurrence.at > due.now) {
      await moveOn(tx, { schedule, period: schedule.nextPeriod, calendar });
      return 'moved';
    }
    const fileId = newId();
    const waitsBecause = await findWaitReason(tx, {
      book: due.book,
      payAt: occurrence.at,
      maker: schedule.madeBy,
    });
    const stored = await tx.query(STORE, [
      schedule.bookId,
      schedule.id,
      occurrence.period,
      occurrence.day,
      occurrence.at,
      fileId,
      waitsBecause,
    ]);
    if (stored.length > 0) {
      const { book, now } = due;
      await storeOccurrenceFile(tx, {
        id: fileId,
        schedule,
        book,
        period: occurrence.period,
        at: now,
      });
    }
    await moveOn(tx, { schedule, period: schedule.nextPeriod + 1, calendar });
    return stored.length > 0 ? { fileId, scheduleId: schedule.id } : 'moved';
  });
}

type Due = Readonly<{ schedule: Schedule; book: Book; now: Date }>;

async function moveOn(
  tx: Queryable,
  {
    schedule,
    period,
    calendar,
  }: Readonly<{ schedule: Schedule; period: number; calendar: HolidayCalendar }>,
): Promise<void> {
  const { at } = occurrenceOf(schedule.rule, period, calendar.days);
  await tx.query(MOVE_ON, [schedule.bookId, schedule.id, period, at, calendar.version]);
}

type DueRow = ScheduleRecord & BookRow & { now: Date };

function toDue(row: DueRow): Due {
  return { schedule: toSchedule(row), book: toBook(row), now: row.now };
}

// Two probes of an index each, so that a round with nothing to do costs nothing. Those of suspended merchants
// wait, and those of merchants that move: a put off time keeps them from being due, and not from outdated holidays. All
// columns are read where the row is locked: read anywhere else they could be those from before another process changed
// them.
const takeOne = (which: string) => `
  select ${SCHEDULE_COLUMNS}, now() as now, ${BOOK_COLUMNS}
  from schedules s
  join books b on b.id = s.book_id and b.suspended_at is null and ${ofOpenMerchant('b.id')}
  ${which}
  limit 1
  for update of s skip locked`;

const TAKE_DUE: Statement = {
  name: 'take-due-schedule',
  text: takeOne('where s.next_at <= now() order by s.next_at'),
};

const TAKE_OUTDATED: Statement = {
  name: 'take-outdated-schedule',
  text: takeOne(`
    join holiday_versions v on v.country = s.country and s.holidays_version < v.version
    where s.next_at is not null`),
};

const STORE: Statement = {
  name: 'store-occurrence',
  text: `
    insert into schedule_occurrences (
      book_id, schedule_id, period, day, pay_at, made_at, file_id, waits_because, state, next_action_at
    )
    values ($1, $2, $3, $4, $5, now(), $6, $7, 'made', now())
    on conflict (book_id, schedule_id, period) do nothing
    returning period`,
};

const MOVE_ON: Statement = {
  name: 'move-schedule-on',
  text: `
    update schedules set next_period = $3, next_at = $4, holidays_version = $5
    where book_id = $1 and id = $2 and state = 'active'`,
};
