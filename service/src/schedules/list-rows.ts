import type { Queryable, Statement } from '../postgres/database.ts';
import type { ScheduleRow } from './schedule.ts';

export type NumberedRow = ScheduleRow & Readonly<{ number: number }>;

type Query = Readonly<{
  bookId: string;
  scheduleId: string;
  limit: number;
  /** Null: from the first row on. */
  after: number | null;
}>;

/** The saved list of a schedule, in its order. */
export async function listScheduleRows(
  database: Queryable,
  { bookId, scheduleId, limit, after }: Query,
): Promise<Readonly<{ items: readonly NumberedRow[]; nextCursor: string | null }>> {
  const values = [bookId, scheduleId, after ?? 0, limit + 1];
  const rows = await database.query<RowRecord>(LIST, values);
  const items = rows.slice(0, limit).map((row) => ({
    number: row.number,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    amountMinor: row.amount_minor,
    recipientName: row.recipient_name,
    narration: row.narration,
  }));
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.number ?? 0) : null };
}

type RowRecord = {
  number: number;
  phone: string;
  operator: ScheduleRow['operator'];
  country: ScheduleRow['country'];
  amount_minor: bigint;
  recipient_name: string | null;
  narration: string | null;
};

const LIST: Statement = {
  name: 'list-schedule-rows',
  text: `
    select number, phone, operator, country, amount_minor, recipient_name, narration
    from schedule_rows
    where book_id = $1 and schedule_id = $2 and number > $3
    order by number
    limit $4`,
};
