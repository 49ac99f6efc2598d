import type { Currency } from '../../domain/money.ts';
import { formatMinor } from '../../domain/money.ts';
import { FAILURES, type FailureCode } from '../../domain/outcome.ts';
import { statusOf, type TransferState } from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** As of other pages. A row may have some kilobytes, and several files are written at once. */
const PAGE_ROWS = 100;

/** The columns of a result file, in their order. Those of money are numbers. */
export const RESULT_COLUMNS = [
  'row',
  'line',
  'phone',
  'recipientName',
  'operator',
  'amount',
  'fee',
  'currency',
  'narration',
  'yourReference',
  'status',
  'state',
  'code',
  'message',
  'reference',
  'transferId',
  'receipt',
  'accountName',
  'nameMatch',
  'completedAt',
  'replaces',
] as const;
export type ResultColumn = (typeof RESULT_COLUMNS)[number];
export const NUMBER_COLUMNS: ReadonlySet<ResultColumn> = new Set(['row', 'line', 'amount', 'fee']);

export type ResultRow = Readonly<Record<ResultColumn, string | null>>;

/** What became of every row of a file, in the order of their numbers, page by page. */
export async function* readResults(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): AsyncGenerator<readonly ResultRow[]> {
  for (let after = 0; ; ) {
    const rows = await database.query<StoredRow>(READ, [bookId, id, after, PAGE_ROWS]);
    if (rows.length > 0) yield rows.map(toResult);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.number ?? after;
  }
}

type StoredRow = {
  number: number;
  line: number;
  state: string;
  phone: string | null;
  given_phone: string | null;
  given_amount: string | null;
  recipient_name: string | null;
  operator: string | null;
  amount_minor: bigint | null;
  fee_minor: bigint | null;
  currency: Currency | null;
  narration: string | null;
  given_reference: string | null;
  refusal_code: string | null;
  refusal_detail: string | null;
  problem_code: string | null;
  reference: string | null;
  transfer_id: string | null;
  account_name: string | null;
  name_match: string | null;
  replaces: string | null;
  transfer_state: TransferState | null;
  failure_code: FailureCode | null;
  receipt: string | null;
  completed_at: Date | null;
};

function toResult(row: StoredRow): ResultRow {
  const state = row.transfer_state;
  const failure = row.failure_code;
  return {
    row: String(row.number),
    line: String(row.line),
    phone: row.phone ?? row.given_phone,
    recipientName: row.recipient_name,
    operator: row.operator,
    amount: row.amount_minor === null ? row.given_amount : formatMinor(row.amount_minor),
    fee: row.fee_minor === null ? null : formatMinor(row.fee_minor),
    currency: row.currency,
    narration: row.narration,
    yourReference: row.given_reference,
    status: state === null ? row.state : statusOf(state),
    state,
    code: failure ?? row.refusal_code ?? row.problem_code,
    message: failure === null ? row.refusal_detail : FAILURES[failure],
    reference: row.reference,
    transferId: row.transfer_id,
    receipt: row.receipt,
    accountName: row.account_name,
    nameMatch: row.name_match,
    completedAt: row.completed_at?.toISOString() ?? null,
    replaces: row.replaces,
  };
}

const READ: Statement = {
  name: 'read-file-results',
  text: `
    select r.number, r.line, r.state, r.phone, r.cells ->> 'phone' as given_phone, r.cells ->> 'amount' as given_amount,
           r.recipient_name, r.operator, r.amount_minor, coalesce(t.fee_minor, r.fee_minor) as fee_minor, r.currency,
           r.narration, r.given_reference, r.refusal_code, r.refusal_detail, r.problems -> 0 ->> 'code' as problem_code,
           r.reference, r.transfer_id, r.account_name, r.name_match, r.replaces, t.state as transfer_state,
           t.failure_code, t.operator_transaction_id as receipt, t.completed_at
    from payout_file_rows r
    left join transfers t on t.book_id = r.book_id and t.id = r.transfer_id
    where r.book_id = $1 and r.file_id = $2 and r.number > $3
    order by r.number
    limit $4`,
};
