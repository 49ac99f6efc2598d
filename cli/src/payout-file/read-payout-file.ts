import {
  type CsvFormat,
  type CsvProblem,
  type CsvRecord,
  isCutByComma,
  parseCsv,
} from '../csv/parse-csv.ts';
import { type CheckedLine, checkPayout, type PayoutDefaults } from './check-payout.ts';
import { createReferenceSource } from './derive-reference.ts';
import { warnOfPrefix } from './number-prefix.ts';
import type { LineProblem, Payout } from './payout.ts';
import { type Column, type Header, readHeader, shown } from './read-header.ts';
import { decodeText, readFileBytes, UnreadableFile } from './read-text-file.ts';
import { isWorkbook, readWorkbook, type WorkbookList } from './read-workbook.ts';

/** The whole file stays in memory until it is sent, so that it cannot change between check and payment. */
const PAYOUTS_MAX = 100_000;

export type FileRules = Readonly<{
  defaults: PayoutDefaults;
  ignoreColumns: boolean;
  /** Goes into references that are made from the content. */
  batch: string;
}>;

export type PayoutFile = Readonly<{
  payouts: readonly Payout[];
  /** Nothing may be sent unless it is empty. */
  problems: readonly LineProblem[];
  /** What a person should look at before paying. */
  warnings: readonly LineProblem[];
  referencesAre: 'given' | 'derived';
  /** Columns and sheets that are ignored. */
  ignored: readonly string[];
  /** How the file is written, so that the result can be written like it. */
  format: CsvFormat;
}>;

/** Reads and checks the whole file, and reports all problems at once, so that people correct it only once. */
export async function readPayoutFile(path: string, rules: FileRules): Promise<PayoutFile> {
  const reader = new PayoutFileReader(rules);
  try {
    const bytes = await readFileBytes(path);
    if (isWorkbook(bytes)) reader.readList(await readWorkbook(bytes));
    else reader.read(decodeText(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    reader.complain({ line: null, column: null, reason: error.message });
  }
  return reader.result();
}

class PayoutFileReader {
  readonly #rules: FileRules;
  readonly #payouts: Payout[] = [];
  readonly #problems: LineProblem[] = [];
  readonly #warnings: LineProblem[] = [];
  readonly #lineOfReference = new Map<string, number>();
  readonly #derive: (line: CheckedLine) => string;
  #format: CsvFormat = { separator: ',', byteOrderMark: false };
  /** False if the first line is not valid: the other lines cannot be read without it. */
  #header: Header | undefined | false;
  #lines = 0;
  #otherSheets: readonly string[] = [];

  constructor(rules: FileRules) {
    this.#rules = rules;
    this.#derive = createReferenceSource(rules.batch);
  }

  complain(problem: LineProblem): void {
    this.#problems.push(problem);
  }

  read(text: string): void {
    this.#format = parseCsv(text, (record, format) => {
      this.#format = format;
      return this.#take(record);
    });
    const whole = { line: null, column: null };
    if (this.#header === undefined) this.complain({ ...whole, reason: 'The file is empty.' });
    else if (this.#header !== false && this.#lines === 0) {
      this.complain({
        ...whole,
        reason: 'The file has a first line only: there is no one to pay.',
      });
    }
  }

  readList({ header, unread, rows, otherSheets, hidden, overlong }: WorkbookList): void {
    this.#header = this.#takeHeader(header, unread);
    for (const row of rows) if (!this.#take(row)) break;
    for (const line of overlong) {
      const reason =
        'Cells to the right of the last named column. Empty them, or name their column.';
      this.complain({ line, column: null, reason });
    }
    for (const line of hidden) {
      this.#warnings.push({ line, column: null, reason: 'The row is hidden in the workbook.' });
    }
    this.#otherSheets = otherSheets.map((name) => `the sheet ${shown(name)}`);
  }

  result(): PayoutFile {
    const header = this.#header === false ? undefined : this.#header;
    return {
      payouts: this.#payouts,
      problems: this.#problems,
      warnings: this.#warnings,
      referencesAre: header?.positions.has('reference') ? 'given' : 'derived',
      ignored: [...(header?.ignored ?? []), ...this.#otherSheets],
      format: this.#format,
    };
  }

  /** False to stop reading. */
  #take(record: CsvRecord | CsvProblem): boolean {
    if (this.#header === undefined) {
      this.#header = this.#takeHeader(record);
      return this.#header !== false;
    }
    if (this.#header === false) return false;
    this.#lines += 1;
    const { line } = record;
    if (this.#lines > PAYOUTS_MAX) {
      const reason = `More than ${PAYOUTS_MAX.toLocaleString('en')} lines. Split the file.`;
      this.complain({ line, column: null, reason });
      return false;
    }
    if ('reason' in record) this.complain({ line, column: null, reason: record.reason });
    else this.#takeLine(record, this.#header);
    return true;
  }

  #takeHeader(
    record: CsvRecord | CsvProblem,
    unread: ReadonlySet<number> = new Set(),
  ): Header | false {
    if ('reason' in record) {
      this.complain({ line: record.line, column: null, reason: record.reason });
      return false;
    }
    const { ignoreColumns, defaults } = this.#rules;
    const hasWallet = Object.keys(defaults.walletIds).length > 0;
    const read = readHeader(record, { ignoreUnknown: ignoreColumns, hasWallet, unread });
    if ('header' in read) return read.header;
    this.#problems.push(...read.problems);
    return false;
  }

  #takeLine(record: CsvRecord, { positions, width, amountCurrency }: Header): void {
    const { line, cells } = record;
    if (cells.length !== width) {
      const reason = `${cells.length} cells, but the first line names ${width} columns.`;
      this.complain({ line, column: null, reason });
      return;
    }
    const amountAt = positions.get('amount') ?? -1;
    if (isCutByComma(record, amountAt)) {
      const reason = `A comma may have cut it. Write ${cells[amountAt]?.trim()}${cells[amountAt + 1]?.trim()} or put the amount in quotes.`;
      this.complain({ line, column: 'amount', reason });
      return;
    }
    const cell = (column: Column): string | undefined => {
      const position = positions.get(column);
      return position === undefined ? undefined : (cells[position] ?? '').trim();
    };
    const checked = checkPayout(line, cell, {
      ...this.#rules.defaults,
      amountCurrency,
      hasDecimalCommas: this.#format.separator === ';',
    });
    if ('line' in checked) this.#takePayout(checked);
    else this.#problems.push(...checked);
  }

  #takePayout(checked: CheckedLine): void {
    const reference = checked.reference ?? this.#derive(checked);
    const earlier = this.#lineOfReference.get(reference);
    const { line } = checked;
    if (earlier !== undefined) {
      const reason = `The same reference as in line ${earlier}.`;
      this.complain({ line, column: 'reference', reason });
      return;
    }
    const payout = { ...checked, reference, retryOf: null };
    const warning = warnOfPrefix(payout);
    if (warning !== undefined) this.#warnings.push({ line, column: 'operator', reason: warning });
    this.#lineOfReference.set(reference, line);
    this.#payouts.push(payout);
  }
}
