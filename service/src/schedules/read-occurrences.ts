import type { Day } from '../domain/zone.ts';
import type { Queryable, Row, Statement } from '../postgres/database.ts';
import type { MadeOccurrence, WaitsBecause } from './schedule.ts';

/** Those of one schedule that people look at: two years of months, half a year of weeks. */
const OCCURRENCES_LISTED_MAX = 25;

type Of = Readonly<{ bookId: string; scheduleId: string }>;

/** What a schedule has made, latest first. */
export async function readOccurrences(
  database: Queryable,
  { bookId, scheduleId }: Of,
): Promise<readonly MadeOccurrence[]> {
  const values = [bookId, [scheduleId], OCCURRENCES_LISTED_MAX];
  const rows = await database.query<OccurrenceRecord>(LATEST, values);
  return rows.map(toOccurrence);
}

/** The latest of each schedule that has made one. */
export async function readLastOccurrences(
  database: Queryable,
  { bookId, scheduleIds }: Readonly<{ bookId: string; scheduleIds: readonly string[] }>,
): Promise<ReadonlyMap<string, MadeOccurrence>> {
  const rows = await database.query<OccurrenceRecord>(LATEST, [bookId, scheduleIds, 1]);
  return new Map(rows.map((row) => [row.schedule_id, toOccurrence(row)]));
}

/** The latest of each schedule that has one that was refused and whose file is still a draft: it waits for a person. */
export async function readRefusedOccurrences(
  database: Queryable,
  { bookId, scheduleIds }: Readonly<{ bookId: string; scheduleIds: readonly string[] }>,
): Promise<ReadonlyMap<string, MadeOccurrence>> {
  const rows = await database.query<OccurrenceRecord>(REFUSED, [bookId, scheduleIds]);
  return new Map(rows.map((row) => [row.schedule_id, toOccurrence(row)]));
}

type OccurrenceRecord = Row & {
  schedule_id: string;
  period: string;
  day: Day;
  pay_at: Date;
  made_at: Date;
  file_id: string;
  waits_because: WaitsBecause | null;
  state: MadeOccurrence['state'];
  refusal_code: string | null;
  refusal_detail: string | null;
};

function toOccurrence(row: OccurrenceRecord): MadeOccurrence {
  const { refusal_code: code, refusal_detail: message } = row;
  return {
    period: row.period,
    day: row.day,
    payAt: row.pay_at,
    madeAt: row.made_at,
    fileId: row.file_id,
    waitsBecause: row.waits_because,
    state: row.state,
    refusal: code === null ? null : { code, message: message ?? '' },
  };
}

const COLUMNS = `
  o.schedule_id, o.period, o.day, o.pay_at, o.made_at, o.file_id, o.waits_because, o.state, o.refusal_code,
  o.refusal_detail`;

const LATEST: Statement = {
  name: 'read-occurrences',
  text: `
    select o.*
    from unnest($2::uuid[]) as wanted (schedule_id)
    cross join lateral (
      select ${COLUMNS}
      from schedule_occurrences o
      where o.book_id = $1 and o.schedule_id = wanted.schedule_id
      order by o.pay_at desc
      limit $3
    ) o
    order by o.pay_at desc`,
};

const REFUSED: Statement = {
  name: 'read-refused-occurrences',
  text: `
    select o.*
    from unnest($2::uuid[]) as wanted (schedule_id)
    cross join lateral (
      select ${COLUMNS}
      from schedule_occurrences o
      join payout_files f on f.book_id = o.book_id and f.id = o.file_id and f.state = 'draft'
      where o.book_id = $1 and o.schedule_id = wanted.schedule_id and o.state = 'refused'
      order by o.pay_at desc
      limit 1
    ) o`,
};
