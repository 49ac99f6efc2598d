import type { Queryable, Statement } from '../postgres/database.ts';
import type { SubmittedFile } from './submitted-file.ts';

/** Cancelled in one go; the rest has its turn with the next look. */
const QUEUED_MAX = 200;

/** Transfers of a cancelled file that have not left yet. */
export async function listQueuedTransfers(
  database: Queryable,
  file: SubmittedFile,
): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(LIST, [file.book.id, file.id]);
  return rows.map(({ id }) => id);
}

// A row that waits was taken by a process that died: its transfer may be made, and not be recorded in the row.
const LIST: Statement = {
  name: 'list-queued-of-file',
  text: `
    select r.number, t.id
    from payout_file_rows r
    join transfers t on t.book_id = r.book_id and t.id = r.transfer_id
    where r.book_id = $1 and r.file_id = $2 and r.state = 'created' and r.ended_at is null
      and t.state in ('queued', 'awaiting_approval')
    union all
    select r.number, t.id
    from payout_file_rows r
    join transfers t on t.book_id = r.book_id and t.phone = r.phone and t.file_id = r.file_id
    where r.book_id = $1 and r.file_id = $2 and r.state = 'waiting' and t.state in ('queued', 'awaiting_approval')
    order by number
    limit ${QUEUED_MAX}`,
};
