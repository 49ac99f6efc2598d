import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { CsvSeparator } from '../../../service/src/domain/format-csv.ts';

/** A line as a person counts them in an editor: a record with line breaks in it begins at its first. */
export type CsvRecord = Readonly<{
  line: number;
  cells: readonly string[];
  /** As it is written, with its quotes, in files in which a comma may have cut a number. */
  text?: string;
}>;
export type CsvProblem = Readonly<{ line: number; reason: string }>;

export type CsvFormat = Readonly<{ separator: CsvSeparator; byteOrderMark: boolean }>;

export const SEPARATORS: readonly CsvSeparator[] = [',', ';', '\t'];

const BYTE_ORDER_MARK = '\ufeff';
/**
 * Longer than any record of a payout. Without a bound, a quote that is not closed would make one record of the whole
 * file.
 */
const RECORD_CHARS_MAX = 20_000;
const RECORD_ENDS = ['\r\n', '\n', '\r'];
/** Excel writes and reads this first line. Other programs turn it into `"sep=;"` or `sep=;,,`. */
const SEPARATOR_LINE = /^"?sep=(.)"?[,;\t]*(?:\r\n|\n|\r|$)/i;

/** `1,250` without quotes, which may be two cells or one number. */
const CUT_NUMBER = /(?:^|,)[ \t]*[0-9]{1,3}[ \t]*,[ \t]*[0-9]{3}(?:\.[0-9]{1,2})?[ \t]*(?=,|$)/m;

const STRAY_QUOTE = 'A quote inside a cell. Put the cell in quotes, and double the one inside.';
const OPEN_QUOTE =
  'A quote that is not closed. Close it, or double it when it is part of the text.';

/**
 * Passes each record that is not empty to `take`, in order. Reading ends when `take` returns false, and at a quote that
 * is not closed, because the records after it cannot be separated.
 */
export function parseCsv(
  text: string,
  take: (record: CsvRecord | CsvProblem, format: CsvFormat) => boolean,
): CsvFormat {
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  const { separator, linesBefore, body } = readSeparator(byteOrderMark ? text.slice(1) : text);
  const format = { separator: separator ?? ',', byteOrderMark };
  if (separator === undefined) {
    const reason = 'Cells must be separated by commas, semicolons or tabs.';
    take({ line: 1, reason }, format);
    return format;
  }
  readRecords(body, { separator, linesBefore, take: (record) => take(record, format) });
  return format;
}

type Reading = Readonly<{
  separator: CsvSeparator;
  linesBefore: number;
  take: (record: CsvRecord | CsvProblem) => boolean;
}>;

function readRecords(body: string, reading: Reading): void {
  const { separator, linesBefore, take } = reading;
  const mayBeCut = separator === ',' && CUT_NUMBER.test(body);
  const rows = mayBeCut ? undefined : parseStrictly(body, separator);
  if (rows === undefined) {
    readWithTexts(body, reading);
    return;
  }
  let line = linesBefore + 1;
  for (const cells of rows) {
    if (!isEmpty(cells) && !take({ line, cells })) return;
    line += 1 + cells.reduce((breaks, cell) => breaks + countLineBreaks(cell), 0);
  }
}

function optionsFor(separator: CsvSeparator) {
  return {
    delimiter: separator,
    record_delimiter: RECORD_ENDS,
    relax_column_count: true,
    max_record_size: RECORD_CHARS_MAX,
  };
}

/** Undefined if a quote is where none is allowed. */
function parseStrictly(body: string, separator: CsvSeparator): string[][] | undefined {
  try {
    return parse(body, optionsFor(separator));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
}

/**
 * Passes the text of each record with its cells, and continues after a misplaced quote, so that all wrong lines are
 * reported at once. Six times slower.
 */
function readWithTexts(body: string, { separator, linesBefore, take }: Reading): void {
  let line = linesBefore + 1;
  let isTaking = true;
  const strict = strictRecord(separator);
  try {
    parse(body, {
      ...optionsFor(separator),
      relax_quotes: true,
      raw: true,
      on_record: (given: unknown) => {
        const { cells, raw } = readRaw(given);
        const text = raw.replace(/[\r\n]+$/, '');
        const isStrict = !text.includes('"') || strict.test(text);
        const record = isStrict ? { line, cells, text } : { line, reason: STRAY_QUOTE };
        if (isTaking && !isEmpty(cells)) isTaking = take(record);
        line += 1 + countLineBreaks(text);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (isTaking) take({ line, reason: explain(error.code) });
  }
}

/** The record and its text. The types of csv-parse do not know that `raw: true` gives both. */
function readRaw(given: unknown): Readonly<{ cells: readonly string[]; raw: string }> {
  if (typeof given === 'object' && given !== null && 'record' in given && 'raw' in given) {
    const { record, raw } = given;
    if (Array.isArray(record) && typeof raw === 'string') return { cells: record, raw };
  }
  throw new Error('csv-parse gave no record');
}

/** A record as in RFC 4180: a quote only around a cell, or doubled in one that has them around it. */
function strictRecord(separator: CsvSeparator): RegExp {
  const cell = `(?:"(?:[^"]|"")*"|[^"${separator}]*)`;
  return new RegExp(`^${cell}(?:${separator}${cell})*$`);
}

/** Whether the cell at the position and the next one, both without quotes, may be one number that a comma has cut. */
export function isCutByComma({ cells, text = '' }: CsvRecord, position: number): boolean {
  const pair = `${cells[position] ?? ''},${cells[position + 1] ?? ''}`;
  return CUT_NUMBER.test(pair) && `,${text},`.includes(`,${pair},`);
}

function countLineBreaks(text: string): number {
  return /[\r\n]/.test(text) ? (text.match(/\r\n|\n|\r/g)?.length ?? 0) : 0;
}

function isEmpty(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '');
}

function explain(code: CsvError['code']): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return OPEN_QUOTE;
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return `Longer than ${RECORD_CHARS_MAX} characters. Is a quote not closed?`;
  }
  return `Not CSV (${code}). Save the file as CSV once more.`;
}

/** By Excel's own line if there is one, else by the names of columns, which hold no separator. */
function readSeparator(text: string) {
  const [hint = '', named] = SEPARATOR_LINE.exec(text) ?? [];
  if (named === undefined) return { separator: detectSeparator(text), linesBefore: 0, body: text };
  const separator = SEPARATORS.find((known) => known === named);
  return { separator, linesBefore: 1, body: text.slice(hint.length) };
}

function detectSeparator(text: string): CsvSeparator {
  const firstLine = text.split(/[\r\n]/, 1)[0] ?? '';
  const counts = SEPARATORS.map((separator) => firstLine.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}
