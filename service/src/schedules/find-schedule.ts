import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Schedule } from './schedule.ts';
import { SCHEDULE_COLUMNS, type ScheduleRecord, toSchedule } from './schedule-row.ts';

type Which = Readonly<{ bookId: string; id: string }>;

/** Throws SCHEDULE_NOT_FOUND. */
export async function findSchedule(database: Queryable, which: Which): Promise<Schedule> {
  return read(database, FIND, which);
}

/** The same, locked for the rest of the transaction. Its occurrences wait for that. */
export async function lockSchedule(tx: Queryable, which: Which): Promise<Schedule> {
  return read(tx, LOCK, which);
}

async function read(
  database: Queryable,
  statement: Statement,
  { bookId, id }: Which,
): Promise<Schedule> {
  const [row] = await database.query<ScheduleRecord>(statement, [bookId, id]);
  if (row === undefined) throw refuse('SCHEDULE_NOT_FOUND');
  return toSchedule(row);
}

/** Newest first. */
export async function listSchedules(
  database: Queryable,
  query: Readonly<{ bookId: string; limit: number; before: string | null }>,
): Promise<Readonly<{ items: readonly Schedule[]; nextCursor: string | null }>> {
  const { bookId, limit, before } = query;
  const rows = await database.query<ScheduleRecord>(LIST, [bookId, before, limit + 1]);
  const items = rows.slice(0, limit).map(toSchedule);
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

const FIND: Statement = {
  name: 'find-schedule',
  text: `select ${SCHEDULE_COLUMNS} from schedules s where s.book_id = $1 and s.id = $2`,
};

const LOCK: Statement = { name: '', text: `${FIND.text} for update` };

const LIST: Statement = {
  name: 'list-schedules',
  text: `
    select ${SCHEDULE_COLUMNS}
    from schedules s
    where s.book_id = $1 and ($2::uuid is null or s.id < $2)
    order by s.id desc
    limit $3`,
};
