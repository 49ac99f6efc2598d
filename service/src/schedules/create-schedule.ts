import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import { type Currency, formatMinor } from '../domain/money.ts';
import { COUNTRIES, type Country, currencyOf } from '../domain/operator.ts';
import type { Recurrence, RecurrenceChoice } from '../domain/recurrence.ts';
import { refuse } from '../domain/refusal.ts';
import { zoneOf } from '../domain/zone.ts';
import { readHolidayCalendar } from '../holidays/list-holidays.ts';
import {
  type Database,
  type Queryable,
  type Statement,
  violatedConstraint,
} from '../postgres/database.ts';
import { choosePeriod } from './choose-period.ts';
import { keepRows, type RowsSource } from './keep-rows.ts';
import { readMaker } from './read-maker.ts';
import { SCHEDULES_MAX, type Schedule } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';

export type ScheduleDeps = ActDeps & Readonly<{ database: Database }>;

export type ScheduleOrder = Readonly<{
  name: string;
  walletId: string;
  recurrence: RecurrenceChoice;
}>;

type Request = Readonly<{ book: Book; actor: Actor; order: ScheduleOrder; rows: RowsSource }>;

/** Stores a schedule, which is active at once. Its first occurrence is the first that is still to come. */
export async function createSchedule(
  deps: ScheduleDeps,
  { book, actor, order, rows }: Request,
): Promise<Schedule> {
  const id = deps.newId();
  const work = actAs(deps, actor, async (tx) => {
    await refuseTooMany(tx, book.id);
    const place = await findCountry(tx, { bookId: book.id, walletId: order.walletId });
    const rule = { ...order.recurrence, zone: zoneOf(place.country) };
    const kept = await keepRows(tx, { bookId: book.id, scheduleId: id, ...place }, rows);
    const calendar = await readHolidayCalendar(tx, place.country);
    const { nextPeriod, nextAt } = await choosePeriod(tx, { bookId: book.id, id, rule }, calendar);
    const [stored] = await tx.query<ScheduleRecord>(INSERT, [
      book.id,
      id,
      ...orderValues(order, place, rule),
      nextPeriod,
      nextAt,
      calendar.version,
      kept.rowsTotal,
      kept.sumMinor,
      ...(await readMaker(tx, book.id, actor)),
      deps.now(),
      [...new Set([...kept.rowsMadeBy, actorCode(actor)])],
    ]);
    if (stored === undefined) throw new Error('a schedule was not stored');
    const schedule = toSchedule(stored);
    await recordAct(tx, deps, {
      actor,
      kind: 'SCHEDULE_CREATED',
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: null,
      after: scheduleFacts(schedule),
    });
    return schedule;
  });
  return work.catch((error: unknown) => {
    throw translateTaken(error);
  });
}

/** Name, wallet and rule, as both statements that write schedules take them: $3 to $11. */
export function orderValues(order: ScheduleOrder, place: Place, rule: Recurrence) {
  return [
    order.name,
    order.walletId,
    place.country,
    place.currency,
    rule.every,
    String(rule.day),
    rule.at,
    rule.zone,
    rule.ifHoliday,
  ];
}

/** A name is that of one schedule until it has ended: a repeated call must not make a second one. */
export function translateTaken(error: unknown): unknown {
  if (violatedConstraint(error) !== 'schedules_name') return error;
  return refuse('VALIDATION_ERROR', { fields: [fieldProblem('name', 'TAKEN', TAKEN)] });
}

const TAKEN = 'A schedule with this name exists. Look at it, or choose another name.';

export function scheduleFacts(schedule: Schedule) {
  const { name, walletId, rule, rowsTotal, sumMinor, currency } = schedule;
  return {
    name,
    walletId,
    every: rule.every,
    day: rule.day,
    at: rule.at,
    zone: rule.zone,
    ifHoliday: rule.ifHoliday,
    rows: rowsTotal,
    sum: `${formatMinor(sumMinor)} ${currency}`,
  };
}

async function refuseTooMany(tx: Queryable, bookId: string): Promise<void> {
  await tx.query(LOCK_BOOK, [bookId]);
  const [row] = await tx.query<{ count: number }>(COUNT, [bookId]);
  if ((row?.count ?? 0) < SCHEDULES_MAX) return;
  throw refuse('LIMIT_EXCEEDED', {
    message: `This book has ${SCHEDULES_MAX} schedules, which is the most. End one first. Nothing was stored.`,
  });
}

type Place = Readonly<{ country: Country; currency: Currency }>;

/** The country whose clocks and holidays count: the one in which the wallet's currency is paid. */
export async function findCountry(
  tx: Queryable,
  { bookId, walletId }: Readonly<{ bookId: string; walletId: string }>,
): Promise<Place> {
  const [wallet] = await tx.query<{ currency: Currency }>(WALLET, [bookId, walletId]);
  if (wallet === undefined) throw refuse('WALLET_NOT_FOUND');
  const country = COUNTRIES.find((one) => currencyOf(one) === wallet.currency);
  if (country === undefined) throw new Error(`no country pays ${wallet.currency}`);
  return { country, currency: wallet.currency };
}

// Two calls at once could both see room for one more.
const LOCK_BOOK: Statement = {
  name: '',
  text: 'select id from books where id = $1 for no key update',
};

const COUNT: Statement = {
  name: '',
  text: `select count(*)::integer as count from schedules where book_id = $1 and state <> 'ended'`,
};

const WALLET: Statement = {
  name: '',
  text: 'select currency from wallets where book_id = $1 and id = $2',
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into schedules as s (
      book_id, id, name, wallet_id, country, currency, every, day, at, zone, if_holiday, state, next_period, next_at,
      holidays_version, rows_total, sum_minor, made_by, made_by_key, made_by_name, created_at, updated_at,
      rows_made_by
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'active', $12, $13, $14, $15, $16, $17, $18, $19,
      $20, $20, $21)
    returning ${SCHEDULE_COLUMNS}`,
};
