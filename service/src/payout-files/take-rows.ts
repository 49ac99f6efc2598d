import type { Database, Statement } from '../postgres/database.ts';
import type { RowContent } from './file-content.ts';
import { CONTENT_COLUMNS, type RowOfContent, toRowContent } from './read-payable-rows.ts';
import type { SubmittedFile } from './submitted-file.ts';

/**
 * Takes the next rows to be paid, and marks in the file how far they reach before any of them becomes a transfer. A
 * cancellation waits for the mark or comes before it, so it leaves alone exactly the rows that may be paid. Of a
 * cancelled file those that were taken before are given again: their process may have died.
 */
export async function takeRows(
  database: Database,
  take: Readonly<{ file: SubmittedFile; leaseOwner: string; max: number }>,
): Promise<readonly RowContent[]> {
  const { file, leaseOwner, max } = take;
  const key = [file.book.id, file.id];
  return database.transaction(async (tx) => {
    const [locked] = await tx.query<{ state: string; paying_up_to: number }>(LOCK, [
      ...key,
      leaseOwner,
    ]);
    if (locked === undefined) return [];
    const upToMax = locked.state === 'paying' ? null : locked.paying_up_to;
    const rows = await tx.query<RowOfContent>(READ, [...key, max, upToMax]);
    const upTo = rows.at(-1)?.number ?? 0;
    if (rows.length > 0) await tx.query(MARK, [...key, upTo]);
    return rows.map(toRowContent);
  });
}

const LOCK: Statement = {
  name: 'lock-paying-file',
  text: `
    select state, paying_up_to from payout_files
    where book_id = $1 and id = $2 and lease_owner = $3 and state in ('paying', 'cancelled')
    for no key update`,
};

const READ: Statement = {
  name: 'read-waiting-rows',
  text: `
    select ${CONTENT_COLUMNS}
    from payout_file_rows
    where book_id = $1 and file_id = $2 and state = 'waiting' and ($4::integer is null or number <= $4)
    order by number
    limit $3`,
};

const MARK: Statement = {
  name: 'mark-taken-rows',
  text: `
    update payout_files set paying_up_to = greatest(paying_up_to, $3), taken_at = now()
    where book_id = $1 and id = $2`,
};
