import type { Currency } from '../domain/money.ts';
import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { FailureCode } from '../domain/outcome.ts';
import type { CheckedRow } from '../domain/payout-file/check-row.ts';
import type { RowCells, RowTexts } from '../domain/payout-file/row-fields.ts';
import type { RowProblem, RowWarning } from '../domain/payout-file/row-problem.ts';

export const ROW_STATES = ['ready', 'problem', 'dropped', 'waiting', 'created', 'refused'] as const;
export type RowState = (typeof ROW_STATES)[number];

/** One payout of a file. */
export type PayoutRow = Omit<CheckedRow, 'walletId'> &
  Readonly<{
    number: number;
    line: number;
    state: RowState;
    /** As it was in the file. */
    cells: RowCells;
    corrections: RowTexts;
    accountName: string | null;
    nameMatch: NameMatch | null;
    nameCheckedAt: Date | null;
    replaces: string | null;
    /** Why the replaced transfer failed. */
    replacedFailure: FailureCode | null;
    reference: string | null;
    transferId: string | null;
    /** The state of its transfer, once it has one. */
    transferState: string | null;
    /** Why its transfer failed. */
    transferFailure: FailureCode | null;
    refusal: Readonly<{ code: string; detail: string | null }> | null;
  }>;

export type RowOfTable = {
  number: number;
  line: number;
  state: RowState;
  cells: RowCells;
  corrections: RowTexts | null;
  phone: string | null;
  operator: Operator | null;
  operator_predicted: boolean;
  country: Country | null;
  currency: Currency | null;
  amount_minor: bigint | null;
  fee_minor: bigint | null;
  recipient_name: string | null;
  narration: string | null;
  given_reference: string | null;
  problems: readonly RowProblem[];
  warnings: readonly RowWarning[];
  account_name: string | null;
  name_match: NameMatch | null;
  name_checked_at: Date | null;
  replaces: string | null;
  replaced_failure: FailureCode | null;
  reference: string | null;
  transfer_id: string | null;
  transfer_state: string | null;
  transfer_failure: FailureCode | null;
  refusal_code: string | null;
  refusal_detail: string | null;
};

/** Of the row `r` and its transfer. */
export const ROW_COLUMNS = `
  r.number, r.line, r.state, r.cells, r.corrections, r.phone, r.operator, r.operator_predicted, r.country, r.currency,
  r.amount_minor, r.fee_minor, r.recipient_name, r.narration, r.given_reference, r.problems, r.warnings,
  r.account_name, r.name_match, r.name_checked_at, r.replaces, r.reference, r.transfer_id, r.refusal_code,
  r.refusal_detail,
  (select t.state from transfers t where t.book_id = r.book_id and t.id = r.transfer_id) as transfer_state,
  (select t.failure_code from transfers t where t.book_id = r.book_id and t.id = r.transfer_id) as transfer_failure,
  (select t.failure_code from transfers t where t.book_id = r.book_id and t.id = r.replaces) as replaced_failure`;

export function toPayoutRow(row: RowOfTable): PayoutRow {
  return {
    number: row.number,
    line: row.line,
    state: row.state,
    cells: row.cells,
    corrections: row.corrections ?? {},
    phone: row.phone,
    operator: row.operator,
    operatorPredicted: row.operator_predicted,
    country: row.country,
    currency: row.currency,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    recipientName: row.recipient_name,
    narration: row.narration,
    givenReference: row.given_reference,
    problems: row.problems,
    warnings: row.warnings,
    accountName: row.account_name,
    nameMatch: row.name_match,
    nameCheckedAt: row.name_checked_at,
    replaces: row.replaces,
    replacedFailure: row.replaced_failure,
    reference: row.reference,
    transferId: row.transfer_id,
    transferState: row.transfer_state,
    transferFailure: row.transfer_failure,
    refusal:
      row.refusal_code === null ? null : { code: row.refusal_code, detail: row.refusal_detail },
  };
}
