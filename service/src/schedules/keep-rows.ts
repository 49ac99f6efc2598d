import { fieldProblem } from '../domain/field-problem.ts';
import type { Currency } from '../domain/money.ts';
import { currencyOf } from '../domain/operator.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { ScheduleRow } from './schedule.ts';

/** Where the list of a schedule comes from: the call itself, or a payout file of the same book. */
export type RowsSource =
  | Readonly<{ kind: 'given'; rows: readonly ScheduleRow[] }>
  | Readonly<{ kind: 'file'; fileId: string }>;

type Of = Readonly<{ bookId: string; scheduleId: string; currency: Currency }>;
/** `rowsMadeBy`: codes of the actors who wrote the rows, besides the one who keeps them now. */
type Kept = Readonly<{ rowsTotal: number; sumMinor: bigint; rowsMadeBy: readonly string[] }>;

/** Replaces the saved list of a schedule, in the transaction that makes or changes it. */
export async function keepRows(tx: Queryable, of: Of, source: RowsSource): Promise<Kept> {
  const { bookId, scheduleId } = of;
  await tx.query(CLEAR, [bookId, scheduleId]);
  const rowsMadeBy = source.kind === 'file' ? await copyFile(tx, of, source.fileId) : [];
  if (source.kind === 'given') await storeGiven(tx, of, source.rows);
  const [totals] = await tx.query<{ count: number; sum: bigint }>(TOTALS, [bookId, scheduleId]);
  if (totals === undefined || totals.count === 0) throw refuseFile(NO_ROWS);
  return { rowsTotal: totals.count, sumMinor: totals.sum, rowsMadeBy };
}

async function storeGiven(tx: Queryable, of: Of, rows: readonly ScheduleRow[]): Promise<void> {
  const broken = rows.findIndex(({ country }) => currencyOf(country) !== of.currency);
  if (broken >= 0) {
    throw refuse('CURRENCY_MISMATCH', {
      message: `Row ${broken + 1} is paid in another currency than the wallet has, ${of.currency}. Nothing was stored.`,
    });
  }
  await tx.query(STORE, [
    of.bookId,
    of.scheduleId,
    rows.map(({ phone }) => phone),
    rows.map(({ operator }) => operator),
    rows.map(({ country }) => country),
    rows.map(({ amountMinor }) => amountMinor),
    rows.map(({ recipientName }) => recipientName),
    rows.map(({ narration }) => narration),
  ]);
}

/** Returns the makers of the file, who wrote the rows. */
async function copyFile(tx: Queryable, of: Of, fileId: string): Promise<readonly string[]> {
  const [file] = await tx.query<FileRow>(FILE, [of.bookId, fileId]);
  if (file === undefined) throw refuseFile('There is no payout file with this id in the book.');
  if (file.state === 'checking') throw refuseFile('This file is still being checked. Wait for it.');
  if (file.rows_problem > 0) {
    throw refuseFile('Some rows of this file have problems. Correct or drop them first.');
  }
  if (file.currency !== null && file.currency !== of.currency) throw refuse('CURRENCY_MISMATCH');
  await tx.query(COPY, [of.bookId, of.scheduleId, fileId]);
  return file.makers;
}

type FileRow = {
  state: string;
  rows_problem: number;
  currency: string | null;
  makers: readonly string[];
};

const NO_ROWS = 'This file has no rows that can be paid.';

function refuseFile(message: string): Error {
  return refuse('VALIDATION_ERROR', {
    fields: [fieldProblem('payoutFileId', 'INVALID_ID', message)],
  });
}

const CLEAR: Statement = {
  name: '',
  text: 'delete from schedule_rows where book_id = $1 and schedule_id = $2',
};

const TOTALS: Statement = {
  name: '',
  text: `
    select count(*)::integer as count, coalesce(sum(amount_minor), 0)::bigint as sum
    from schedule_rows
    where book_id = $1 and schedule_id = $2`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into schedule_rows (
      book_id, schedule_id, number, phone, operator, country, amount_minor, recipient_name, narration
    )
    select $1, $2, r.number, r.phone, r.operator, r.country, r.amount, r.recipient, r.narration
    from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
      with ordinality as r (phone, operator, country, amount, recipient, narration, number)`,
};

// Locked against rows that are corrected meanwhile: a correction counts its file's version up.
const FILE: Statement = {
  name: '',
  text: `
    select state, rows_problem, currency, makers from payout_files
    where book_id = $1 and id = $2 for share`,
};

const COPY: Statement = {
  name: '',
  text: `
    insert into schedule_rows (
      book_id, schedule_id, number, phone, operator, country, amount_minor, recipient_name, narration, given_reference
    )
    select $1, $2, row_number() over (order by r.number), r.phone, r.operator, r.country, r.amount_minor,
      r.recipient_name, r.narration, r.given_reference
    from payout_file_rows r
    where r.book_id = $1 and r.file_id = $3 and r.state in ('ready', 'waiting', 'created', 'refused')`,
};
