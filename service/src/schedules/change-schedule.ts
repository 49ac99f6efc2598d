import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import type { Recurrence } from '../domain/recurrence.ts';
import { refuse } from '../domain/refusal.ts';
import { zoneOf } from '../domain/zone.ts';
import { readHolidayCalendar } from '../holidays/list-holidays.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { choosePeriod, readClock } from './choose-period.ts';
import {
  findCountry,
  orderValues,
  type ScheduleDeps,
  type ScheduleOrder,
  scheduleFacts,
  translateTaken,
} from './create-schedule.ts';
import { lockSchedule } from './find-schedule.ts';
import { keepRows, type RowsSource } from './keep-rows.ts';
import { readMaker } from './read-maker.ts';
import type { Schedule } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';
import { refuseOtherVersion } from './schedule-version.ts';

type Request = Readonly<{
  book: Book;
  actor: Actor;
  id: string;
  order: ScheduleOrder;
  /** Null: the saved list stays. */
  rows: RowsSource | null;
  /** The version that the actor saw; null or absent: the caller does not say. */
  version?: string | null;
}>;

/**
 * Changes what is to come. The actor counts as one of its makers from then on, and no month or week is paid twice by it.
 */
export async function changeSchedule(
  deps: ScheduleDeps,
  { book, actor, id, order, rows, version = null }: Request,
): Promise<Schedule> {
  const work = actAs(deps, actor, async (tx) => {
    const before = await lockSchedule(tx, { bookId: book.id, id });
    refuseOtherVersion(before, version);
    await refuseUnchangeable(tx, before);
    const place = await findCountry(tx, { bookId: book.id, walletId: order.walletId });
    if (place.currency !== before.currency && rows === null) throw refuse('CURRENCY_MISMATCH');
    const rule = { ...order.recurrence, zone: zoneOf(place.country) };
    const kept =
      rows === null
        ? undefined
        : await keepRows(tx, { bookId: book.id, scheduleId: id, ...place }, rows);
    const { rowsTotal, sumMinor } = kept ?? before;
    // Who changed it before stays: when it pays, and from which wallet, may still be as they wrote it.
    const makers = new Set([...before.makers, ...(kept?.rowsMadeBy ?? []), actorCode(actor)]);
    const calendar = await readHolidayCalendar(tx, place.country);
    const next = sameRule(before.rule, rule)
      ? before
      : await choosePeriod(tx, { bookId: book.id, id, rule }, calendar);
    const [stored] = await tx.query<ScheduleRecord>(UPDATE, [
      book.id,
      id,
      ...orderValues(order, place, rule),
      next.nextPeriod,
      before.state === 'active' ? next.nextAt : null,
      rowsTotal,
      sumMinor,
      ...(await readMaker(tx, book.id, actor)),
      deps.now(),
      sameRule(before.rule, rule) ? null : calendar.version,
      [...makers],
    ]);
    if (stored === undefined) throw new Error('a locked schedule is gone');
    const after = toSchedule(stored);
    await recordAct(tx, deps, {
      actor,
      kind: 'SCHEDULE_CHANGED',
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: scheduleFacts(before),
      after: scheduleFacts(after),
    });
    return after;
  });
  return work.catch((error: unknown) => {
    throw translateTaken(error);
  });
}

/** What is due now must be made by the rule that was in force when it came due, so that it is not forgotten. */
async function refuseUnchangeable(tx: Queryable, schedule: Schedule): Promise<void> {
  if (schedule.state === 'ended') throw refuse('INVALID_STATE', { message: ENDED });
  if (schedule.nextAt !== null && schedule.nextAt <= (await readClock(tx))) {
    throw refuse('INVALID_STATE', { message: DUE });
  }
}

export const ENDED = 'This schedule has ended. Make a new one.';
const DUE = 'An occurrence is due and being made right now. Try again in a few seconds.';

function sameRule(one: Recurrence, other: Recurrence): boolean {
  return (
    one.every === other.every &&
    one.day === other.day &&
    one.at === other.at &&
    one.zone === other.zone &&
    one.ifHoliday === other.ifHoliday
  );
}

const UPDATE: Statement = {
  name: '',
  text: `
    update schedules s set
      name = $3, wallet_id = $4, country = $5, currency = $6, every = $7, day = $8, at = $9, zone = $10,
      if_holiday = $11, next_period = $12, next_at = $13, rows_total = $14, sum_minor = $15, made_by = $16,
      made_by_key = $17, made_by_name = $18, updated_at = $19,
      holidays_version = coalesce($20, s.holidays_version), rows_made_by = $21
    where s.book_id = $1 and s.id = $2
    returning ${SCHEDULE_COLUMNS}`,
};
