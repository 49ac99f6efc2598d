import { firstPeriod, occurrenceOf, type Recurrence } from '../domain/recurrence.ts';
import type { HolidayCalendar } from '../holidays/list-holidays.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** More than the periods that holidays could move into each other. */
const MADE_READ_MAX = 60;

type Chosen = Readonly<{ nextPeriod: number; nextAt: Date }>;

/** The first period from now on, by the database's clock, for which the schedule has made nothing yet. */
export async function choosePeriod(
  tx: Queryable,
  schedule: Readonly<{ bookId: string; id: string; rule: Recurrence }>,
  { days }: HolidayCalendar,
): Promise<Chosen> {
  const { bookId, id, rule } = schedule;
  const made = await tx.query<{ period: string }>(MADE, [bookId, id, MADE_READ_MAX]);
  const periods = new Set(made.map(({ period }) => period));
  let nextPeriod = firstPeriod(rule, await readClock(tx), days);
  while (periods.has(occurrenceOf(rule, nextPeriod, days).period)) nextPeriod += 1;
  return { nextPeriod, nextAt: occurrenceOf(rule, nextPeriod, days).at };
}

/** The database's clock, which all processes share. */
export async function readClock(tx: Queryable): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>(NOW);
  if (row === undefined) throw new Error('the database did not tell its time');
  return row.now;
}

const MADE: Statement = {
  name: '',
  text: `
    select period from schedule_occurrences
    where book_id = $1 and schedule_id = $2
    order by pay_at desc
    limit $3`,
};

const NOW: Statement = { name: '', text: 'select now() as now' };
