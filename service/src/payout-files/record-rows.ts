import { bareArray, quotedArray } from '../postgres/array-text.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { SubmittedFile } from './submitted-file.ts';

const DETAIL_LENGTH_MAX = 300;

/** What became of a row: a transfer, or a refusal. */
export type RowOutcome = Readonly<
  { number: number; reference: string } & (
    | { transferId: string; code: null; detail: null }
    | { transferId: null; code: string; detail: string }
  )
>;

/** Records what became of rows, and counts them in their file. A row that is recorded already stays as it is. */
export async function recordRows(
  database: Queryable,
  record: Readonly<{ file: SubmittedFile; outcomes: readonly RowOutcome[]; at: Date }>,
): Promise<void> {
  const { file, outcomes, at } = record;
  if (outcomes.length === 0) return;
  await database.query(RECORD, [
    file.book.id,
    file.id,
    bareArray(outcomes.map(({ number }) => number)),
    quotedArray(outcomes.map(({ reference }) => reference)),
    bareArray(outcomes.map(({ transferId }) => transferId)),
    quotedArray(outcomes.map(({ code }) => code)),
    quotedArray(outcomes.map(({ detail }) => detail?.slice(0, DETAIL_LENGTH_MAX) ?? null)),
    at,
  ]);
}

const RECORD: Statement = {
  name: 'record-file-rows',
  text: `
    with recorded as (
      update payout_file_rows r
      set state = case when o.transfer_id is null then 'refused' else 'created' end,
          reference = o.reference, transfer_id = o.transfer_id, refusal_code = o.code, refusal_detail = o.detail
      from unnest($3::integer[], $4::text[], $5::uuid[], $6::text[], $7::text[])
        as o (number, reference, transfer_id, code, detail)
      where r.book_id = $1 and r.file_id = $2 and r.number = o.number and r.state = 'waiting'
      returning r.state
    ),
    counted as (
      select count(*) filter (where state = 'created')::integer as created,
             count(*) filter (where state = 'refused')::integer as refused
      from recorded
    )
    update payout_files f
    set rows_created = rows_created + c.created, rows_refused = rows_refused + c.refused, updated_at = $8
    from counted c
    where f.book_id = $1 and f.id = $2 and c.created + c.refused > 0`,
};
