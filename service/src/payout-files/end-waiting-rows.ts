import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Refuses the waiting rows of a file that will not be paid, except rows that were taken to be paid. Call it in
 * the transaction that cancels the file, after its row was locked. Returns how many rows may be paid all the same.
 */
export async function endWaitingRows(
  tx: Queryable,
  end: Readonly<{ bookId: string; id: string; code: string }>,
): Promise<number> {
  const [row] = await tx.query<{ taken: number }>(END, [end.bookId, end.id, end.code]);
  return row?.taken ?? 0;
}

const END: Statement = {
  name: 'end-waiting-rows',
  text: `
    with file as (
      select paying_up_to from payout_files where book_id = $1 and id = $2
    ),
    refused as (
      update payout_file_rows r
      set state = 'refused', refusal_code = $3, refusal_detail = 'The file was cancelled before it was the turn of this row.'
      from file f
      where r.book_id = $1 and r.file_id = $2 and r.state = 'waiting' and r.number > f.paying_up_to
      returning 1
    ),
    counted as (
      update payout_files
      set rows_refused = rows_refused + (select count(*) from refused)::integer
      where book_id = $1 and id = $2
    )
    select count(*)::integer as taken
    from payout_file_rows r, file f
    where r.book_id = $1 and r.file_id = $2 and r.state = 'waiting' and r.number <= f.paying_up_to`,
};
