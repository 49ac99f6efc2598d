import {
  CsvParser,
  type CsvProblem,
  type CsvRecord,
  detectSeparator,
  type Separator,
} from '../csv/parse-csv.ts';
import { type CheckedLine, checkPayout, type PayoutDefaults } from './check-payout.ts';
import { decodeFile, UnreadableFile } from './decode-file.ts';
import { createReferenceSource } from './derive-reference.ts';
import type { LineProblem, Payout } from './payout.ts';
import { type Column, type Header, readHeader } from './read-header.ts';

/** What is checked stays in memory until it is sent, so that nobody can change it in between. */
const PAYOUTS_MAX = 100_000;
const HEADER_CHARS_MAX = 10_000;
const BYTE_ORDER_MARK = '\ufeff';

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
  referencesAre: 'given' | 'derived';
  ignoredColumns: readonly string[];
  /** How the file is written, so that the result can be written like it. */
  format: Readonly<{ separator: Separator; byteOrderMark: boolean }>;
}>;

/** Reads and checks the whole file, however bad it is: every problem at once saves a round. */
export async function readPayoutFile(path: string, rules: FileRules): Promise<PayoutFile> {
  const reader = new PayoutFileReader(rules);
  try {
    for await (const text of decodeFile(path)) {
      reader.read(text);
      if (reader.isFull) break;
    }
    reader.end();
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
  readonly #lineOfReference = new Map<string, number>();
  readonly #derive: (line: CheckedLine) => string;
  #format: PayoutFile['format'] = { separator: ',', byteOrderMark: false };
  /** The text until the first line end, by which the separator is found. */
  #opening = '';
  #parser: CsvParser | undefined;
  /** False once the first line could not be used: the others then cannot be understood either. */
  #header: Header | undefined | false;
  #lines = 0;

  constructor(rules: FileRules) {
    this.#rules = rules;
    this.#derive = createReferenceSource(rules.batch);
  }

  get isFull(): boolean {
    return this.#lines > PAYOUTS_MAX;
  }

  complain(problem: LineProblem): void {
    this.#problems.push(problem);
  }

  read(text: string): void {
    if (this.#parser !== undefined) {
      this.#parser.read(text);
      return;
    }
    this.#opening += text;
    const isWhole = /[\r\n]/.test(this.#opening) || this.#opening.length > HEADER_CHARS_MAX;
    if (isWhole) this.#begin();
  }

  end(): void {
    const parser = this.#parser ?? this.#begin();
    parser.end();
    const whole = { line: null, column: null };
    if (this.#header === undefined) this.complain({ ...whole, reason: 'The file is empty.' });
    else if (this.#header !== false && this.#lines === 0) {
      this.complain({ ...whole, reason: 'The file pays nobody: it has a first line only.' });
    }
  }

  result(): PayoutFile {
    const header = this.#header === false ? undefined : this.#header;
    return {
      payouts: this.#payouts,
      problems: this.#problems,
      referencesAre: header?.positions.has('reference') ? 'given' : 'derived',
      ignoredColumns: header?.ignored ?? [],
      format: this.#format,
    };
  }

  #begin(): CsvParser {
    const byteOrderMark = this.#opening.startsWith(BYTE_ORDER_MARK);
    const text = byteOrderMark ? this.#opening.slice(1) : this.#opening;
    const separator = detectSeparator(text.split(/[\r\n]/, 1)[0] ?? '');
    this.#format = { separator, byteOrderMark };
    this.#opening = '';
    this.#parser = new CsvParser(separator, (record) => this.#take(record));
    this.#parser.read(text);
    return this.#parser;
  }

  #take(record: CsvRecord | CsvProblem): void {
    if (this.#header === false) return;
    if (this.#header === undefined) {
      this.#header = this.#takeHeader(record);
      return;
    }
    this.#lines += 1;
    const { line } = record;
    if (this.#lines === PAYOUTS_MAX + 1) {
      this.complain({ line, column: null, reason: tooMany() });
    }
    if (this.isFull) return;
    if ('reason' in record) this.complain({ line, column: null, reason: record.reason });
    else this.#takeLine(record, this.#header);
  }

  #takeHeader(record: CsvRecord | CsvProblem): Header | false {
    if ('reason' in record) {
      this.complain({ line: record.line, column: null, reason: record.reason });
      return false;
    }
    const { ignoreColumns, defaults } = this.#rules;
    const replaced = replacedBy(defaults);
    const read = readHeader(record, { ignoreUnknown: ignoreColumns, replaced });
    if ('header' in read) return read.header;
    this.#problems.push(...read.problems);
    return false;
  }

  #takeLine({ line, cells }: CsvRecord, { positions, width }: Header): void {
    if (cells.length !== width) {
      const reason = `${cells.length} cells, but the first line names ${width} columns.`;
      this.complain({ line, column: null, reason });
      return;
    }
    const cell = (column: Column): string | undefined => {
      const position = positions.get(column);
      return position === undefined ? undefined : (cells[position] ?? '').trim();
    };
    const checked = checkPayout(line, cell, this.#rules.defaults);
    if ('line' in checked) this.#takePayout(checked);
    else this.#problems.push(...checked);
  }

  #takePayout(checked: CheckedLine): void {
    const reference = checked.reference ?? this.#derive(checked);
    const earlier = this.#lineOfReference.get(reference);
    if (earlier !== undefined) {
      const reason = `The same reference as in line ${earlier}.`;
      this.complain({ line: checked.line, column: 'reference', reason });
      return;
    }
    this.#lineOfReference.set(reference, checked.line);
    this.#payouts.push({ ...checked, reference });
  }
}

function replacedBy({ operator, country, walletIds }: PayoutDefaults): ReadonlySet<Column> {
  const replaced = new Set<Column>();
  if (operator !== undefined) replaced.add('operator');
  if (country !== undefined) replaced.add('country');
  if (Object.keys(walletIds).length > 0) replaced.add('walletId');
  return replaced;
}

function tooMany(): string {
  return `More than ${PAYOUTS_MAX.toLocaleString('en')} lines. Split the file.`;
}
