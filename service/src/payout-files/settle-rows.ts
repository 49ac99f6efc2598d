import type { Queryable, Statement } from '../postgres/database.ts';
import type { SubmittedFile } from './submitted-file.ts';

/** Transfers that wait longer than this in the queue wait for a closed operator, and no later row waits for them. */
const DUE_WITHIN_MS = 5_000;

/** What is left to happen in a file. */
export type Unfinished = Readonly<{
  /** Rows that have no transfer yet. */
  waiting: number;
  /** Transfers that have not left, although they could. */
  unsent: number;
  inDoubt: number;
  /** All transfers that have not ended, those included. */
  transfers: number;
}>;

/** Counts the rows whose transfers have ended since it was last called, and what is left. */
export async function settleRows(
  database: Queryable,
  { file, at }: Readonly<{ file: SubmittedFile; at: Date }>,
): Promise<Unfinished> {
  const [row] = await database.query<Unfinished>(SETTLE, [
    file.book.id,
    file.id,
    at,
    DUE_WITHIN_MS,
  ]);
  if (row === undefined) throw new Error('the unfinished rows of a file were not counted');
  return row;
}

// `waiting` is 0 or 1: whether there are any is all that is asked.
// A row is counted once, when its transfer ends. A reversed transfer was paid first, so its row counts as succeeded,
// whether it was reversed before or after it was counted. Rows and results show the state that it has now.
const SETTLE: Statement = {
  name: 'settle-file-rows',
  text: `
    with unfinished as materialized (
      select r.number, t.state, t.next_action_at
      from payout_file_rows r
      join transfers t on t.book_id = r.book_id and t.id = r.transfer_id
      where r.book_id = $1 and r.file_id = $2 and r.state = 'created' and r.ended_at is null
    ),
    ended as (
      update payout_file_rows r
      set ended_at = $3
      from unfinished u
      where r.book_id = $1 and r.file_id = $2 and r.number = u.number and r.ended_at is null
        and u.state in ('succeeded', 'failed', 'cancelled', 'reversed')
      returning u.state
    ),
    counted as (
      update payout_files f
      set rows_succeeded = rows_succeeded + e.succeeded, rows_failed = rows_failed + e.failed,
          rows_cancelled = rows_cancelled + e.cancelled, updated_at = $3
      from (
        select count(*) filter (where state in ('succeeded', 'reversed'))::integer as succeeded,
               count(*) filter (where state = 'failed')::integer as failed,
               count(*) filter (where state = 'cancelled')::integer as cancelled
        from ended
      ) e
      where f.book_id = $1 and f.id = $2 and e.succeeded + e.failed + e.cancelled > 0
    )
    select (
             select count(*) from (
               select from payout_file_rows r
               where r.book_id = $1 and r.file_id = $2 and r.state = 'waiting' limit 1
             ) w
           )::integer as waiting,
           count(*) filter (
             where state = 'submitting'
               or (state = 'queued' and next_action_at < now() + $4::integer * interval '1 ms')
           )::integer as unsent,
           count(*) filter (where state = 'in_doubt')::integer as "inDoubt",
           count(*) filter (where state not in ('succeeded', 'failed', 'cancelled', 'reversed'))::integer as transfers
    from unfinished`,
};
