import type { Book } from '../domain/book.ts';
import { feeOf } from '../domain/fee.ts';
import { formatMinor } from '../domain/money.ts';
import type { Country, Operator } from '../domain/operator.ts';
import { nameOccurrence } from '../payout-files/row-reference.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Schedule } from './schedule.ts';

/** Rows of one statement. A list of 50,000 then takes 50, which no client waits for. */
const ROWS_PER_STATEMENT = 1_000;

type File = Readonly<{ id: string; schedule: Schedule; book: Book; period: string; at: Date }>;

/** Stores the draft of a payout file with the saved list of a schedule, in the transaction of its occurrence. */
export async function storeOccurrenceFile(tx: Queryable, file: File): Promise<void> {
  const { schedule, id, period, at } = file;
  const { madeBy } = schedule;
  await tx.query(STORE_FILE, [
    schedule.bookId,
    id,
    `${schedule.name} ${period}`,
    schedule.id,
    madeBy.kind === 'person' ? madeBy.id : null,
    madeBy.kind === 'key' ? madeBy.id : null,
    madeBy.name,
    at,
    schedule.walletId,
    schedule.country,
    schedule.currency,
    schedule.rowsTotal,
    schedule.sumMinor,
    nameOccurrence({ scheduleId: schedule.id, period }),
    schedule.makers,
  ]);
  for (let after = 0; after < schedule.rowsTotal; after += ROWS_PER_STATEMENT) {
    await copyRows(tx, file, after);
  }
}

async function copyRows(tx: Queryable, { id, schedule, book }: File, after: number): Promise<void> {
  const key = [schedule.bookId, schedule.id];
  const rows = await tx.query<SavedRow>(READ_ROWS, [...key, after, after + ROWS_PER_STATEMENT]);
  await tx.query(STORE_ROWS, [
    schedule.bookId,
    id,
    rows.map(({ number }) => number),
    rows.map((row) => JSON.stringify(cellsOf(row))),
    rows.map(({ phone }) => phone),
    rows.map(({ operator }) => operator),
    rows.map(({ country }) => country),
    schedule.currency,
    rows.map(({ amount_minor }) => amount_minor),
    rows.map(({ amount_minor }) => feeOf(book.feeTerms, amount_minor)),
    rows.map(({ recipient_name }) => recipient_name),
    rows.map(({ narration }) => narration),
    rows.map(({ given_reference }) => given_reference),
  ]);
}

/** As a person would have written them into a file. */
function cellsOf(row: SavedRow) {
  return {
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    amount: formatMinor(row.amount_minor),
    ...(row.recipient_name === null ? {} : { name: row.recipient_name }),
    ...(row.narration === null ? {} : { narration: row.narration }),
    ...(row.given_reference === null ? {} : { reference: row.given_reference }),
  };
}

type SavedRow = {
  number: number;
  phone: string;
  operator: Operator;
  country: Country;
  amount_minor: bigint;
  recipient_name: string | null;
  narration: string | null;
  given_reference: string | null;
};

const READ_ROWS: Statement = {
  name: 'read-schedule-rows',
  text: `
    select number, phone, operator, country, amount_minor, recipient_name, narration, given_reference
    from schedule_rows
    where book_id = $1 and schedule_id = $2 and number > $3 and number <= $4
    order by number`,
};

const STORE_FILE: Statement = {
  name: 'store-occurrence-file',
  text: `
    insert into payout_files (
      book_id, id, name, source, schedule_id, state, made_by, made_by_key, made_by_name, created_at, updated_at,
      wallet_id, country, currency, rows_total, rows_checked, sum_minor, reference_name, makers
    )
    values ($1, $2, $3, 'schedule', $4, 'draft', $5, $6, $7, $8, $8, $9, $10, $11, $12, $12, $13, $14, $15)`,
};

const STORE_ROWS: Statement = {
  name: 'store-occurrence-rows',
  text: `
    insert into payout_file_rows (
      book_id, file_id, number, line, state, cells, phone, operator, country, currency, amount_minor, fee_minor,
      recipient_name, narration, given_reference
    )
    select $1, $2, r.number, r.number, 'ready', r.cells::jsonb, r.phone, r.operator, r.country, $8, r.amount, r.fee,
      r.recipient, r.narration, r.reference
    from unnest(
      $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $9::bigint[], $10::bigint[], $11::text[],
      $12::text[], $13::text[]
    ) as r (number, cells, phone, operator, country, amount, fee, recipient, narration, reference)`,
};
