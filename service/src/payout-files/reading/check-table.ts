import { createHash } from 'node:crypto';
import { readAmountCurrency } from '../../domain/payout-file/amount-currency.ts';
import type { CheckedRow, RowRules } from '../../domain/payout-file/check-row.ts';
import { FileChecker, type TableRow } from '../../domain/payout-file/file-checker.ts';
import { mayHaveDecimalCommas } from '../../domain/payout-file/row-fields.ts';
import { checkedColumns } from './checked-columns.ts';
import { readTable } from './read-table.ts';
import type { CheckedRows, TableHead } from './reader-message.ts';

/** Rows that are handed over together. Their JSON takes up to six times their text, and is copied into the process. */
const ROWS_AT_ONCE = 1_000;
const TEXT_AT_ONCE_MAX = 1_024 * 1_024;

/** Takes what was found, in order. The next rows are checked while the last are stored, and wait to be handed over. */
export type TableTaker = Readonly<{
  onHead(head: TableHead): Promise<void>;
  onRows(rows: CheckedRows): Promise<void>;
}>;

/** Reads a file and checks its rows. Throws FileUnreadable where the file as a whole cannot be read. */
export async function checkTable(
  { bytes, rules }: Readonly<{ bytes: ArrayBuffer; rules: RowRules }>,
  { onHead, onRows }: TableTaker,
): Promise<void> {
  const upload = Buffer.from(bytes);
  const { rows, ...table } = await readTable(upload);
  const uploadHash = createHash('sha256').update(upload).digest('hex');
  let stored = onHead({ ...table, total: rows.length, uploadHash });
  const amountCurrency = readAmountCurrency(table.columns);
  const hasDecimalCommas = mayHaveDecimalCommas(table.columns);
  const checker = new FileChecker({ ...rules, amountCurrency, hasDecimalCommas });
  for (let from = 0; from < rows.length; ) {
    const part = rows.slice(from, findPartEnd(rows, from));
    const checked = part.map((row, index) => toStored(from + index + 1, row, checker));
    const { walletId, currency } = checker.rules;
    const json = JSON.stringify(checked);
    await stored;
    stored = onRows({ kind: 'rows', json, count: part.length, walletId, currency });
    from += part.length;
  }
  await stored;
}

/** At least one row further, since a row has less text than a part. */
function findPartEnd(rows: readonly TableRow[], from: number): number {
  const last = Math.min(from + ROWS_AT_ONCE, rows.length);
  let length = 0;
  for (let at = from; at < last; at += 1) {
    for (const text of Object.values(rows[at]?.texts ?? {})) length += text.length;
    if (length > TEXT_AT_ONCE_MAX) return at;
  }
  return last;
}

/** As the statement that stores rows reads them. */
function toStored(number: number, row: TableRow, checker: FileChecker): object {
  const checked: CheckedRow = checker.check(number, row);
  return {
    number,
    line: row.line,
    cells: row.texts,
    state: checked.problems.length > 0 ? 'problem' : 'ready',
    ...checkedColumns(checked),
    problems: checked.problems,
    warnings: checked.warnings,
  };
}
