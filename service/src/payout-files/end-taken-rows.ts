import type { Database, Statement } from '../postgres/database.ts';
import type { Batch } from './pay-rows.ts';
import { recordRows } from './record-rows.ts';
import type { SubmittedFile } from './submitted-file.ts';
import { takeRows } from './take-rows.ts';

const ROWS_MAX = 1_000;
const DETAIL = 'The file was cancelled before this row was paid.';

/**
 * Ends rows of a cancelled file that were taken and must not be paid any more. A row whose process died after its
 * transfer was made keeps that transfer; the others are refused.
 */
export async function endTakenRows(
  database: Database,
  end: Readonly<{ file: SubmittedFile; leaseOwner: string; at: Date }>,
): Promise<Batch> {
  const { file, leaseOwner, at } = end;
  const rows = await takeRows(database, { file, leaseOwner, max: ROWS_MAX });
  const references = rows.map(({ reference }) => reference);
  const made = await database.query<{ reference: string; id: string }>(MADE, [
    file.book.id,
    references,
    file.id,
  ]);
  const ids = new Map(made.map(({ reference, id }) => [reference, id]));
  const code = file.endedAs ?? 'CANCELLED';
  const outcomes = rows.map(({ number, reference }) => {
    const transferId = ids.get(reference);
    return transferId === undefined
      ? { number, reference, transferId: null, code, detail: DETAIL }
      : { number, reference, transferId, code: null, detail: null };
  });
  await recordRows(database, { file, outcomes, at });
  return { taken: rows.length, decided: rows.length };
}

const MADE: Statement = {
  name: 'find-transfers-of-rows',
  text: `
    select reference, id from transfers
    where book_id = $1 and reference = any ($2::text[]) and file_id = $3`,
};
