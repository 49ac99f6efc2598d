import type { Queryable, Statement } from '../postgres/database.ts';
import type { SubmittedFile } from './submitted-file.ts';

/** Cancelled in one go; the rest has its turn with the next look. */
const QUEUED_MAX = 200;

/** Transfers of a file that have not left yet. */
export async function listQueuedTransfers(
  database: Queryable,
  file: SubmittedFile,
): Promise<readonly string[]> {
  const rows = await database.query<{ id: string }>(LIST, [file.book.id, file.id]);
  return rows.map(({ id }) => id);
}

const LIST: Statement = {
  name: 'list-queued-of-file',
  text: `
    select t.id
    from payout_file_rows r
    join transfers t on t.book_id = r.book_id and t.id = r.transfer_id
    where r.book_id = $1 and r.file_id = $2 and r.state = 'created' and r.ended_at is null
      and t.state in ('queued', 'awaiting_approval')
    order by r.number
    limit ${QUEUED_MAX}`,
};
