import { eventKey, keyColumns, type ShowSubjects } from '../events/recorded-event.ts';
import type { Statement } from '../postgres/database.ts';

type OccurrenceRow = {
  book_id: string;
  file_id: string;
  schedule_id: string;
  period: string;
  pay_at: Date;
  seq: number;
};

/** Drafts that could not be submitted, by what never changes of them: people correct the rest. */
export const showNotSubmitted: ShowSubjects = async (database, events) => {
  const rows = await database.query<OccurrenceRow>(READ, keyColumns(events));
  const causes = new Map(events.map((event) => [eventKey(event), event.cause]));
  return new Map(
    rows.map((row) => {
      const key = eventKey({ bookId: row.book_id, subjectId: row.file_id, seq: row.seq });
      return [key, render(row, causes.get(key) ?? '')];
    }),
  );
};

function render(row: OccurrenceRow, cause: string) {
  const [, code = '', ...message] = cause.split(' ');
  return {
    id: row.file_id,
    state: 'draft',
    source: 'schedule',
    scheduleId: row.schedule_id,
    period: row.period,
    payAt: row.pay_at.toISOString(),
    refusal: { code, message: message.join(' ') },
  };
}

const READ: Statement = {
  name: 'show-not-submitted',
  text: `
    select o.book_id, o.file_id, o.schedule_id, o.period, o.pay_at, k.seq
    from unnest($1::uuid[], $2::uuid[], $3::integer[]) as k (book_id, file_id, seq)
    join schedule_occurrences o on o.book_id = k.book_id and o.file_id = k.file_id`,
};
