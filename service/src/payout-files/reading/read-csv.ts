import { CsvError, type Info } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { decodeText } from './decode-text.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { type Table, TableBuilder } from './table-builder.ts';
import { COLUMNS_MAX, HEADER_WITHIN_ROWS, RECORD_LENGTH_MAX } from './table-limits.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
/** Excel writes and reads this first line; `"sep=;"` and `sep=;,,` are what other programs make of it. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\n|\r|$)/i;
const BYTE_ORDER_MARK = /^\ufeff/;

/** Reads a list of payouts from CSV as spreadsheets and programs write it. */
export function readCsv(bytes: Uint8Array): Table {
  const text = decodeText(bytes).replace(BYTE_ORDER_MARK, '');
  const told = SEPARATOR_LINE.exec(text);
  const body = told === null ? text : text.slice(told[0].length);
  const builder = new TableBuilder();
  const separator = told?.[1] ?? findSeparator(body);
  parseRecords(body, separator, (cells, line, textOf) => {
    const about = separator === ',' ? { textBetweenCommas: textOf } : {};
    builder.add(cells, line + (told === null ? 0 : 1), about);
    if (builder.hasNoHeader) throw new FileUnreadable('NO_HEADER');
  });
  const table = builder.build({ format: 'csv', sheet: null, otherSheets: [] });
  return separator === ';' ? withDecimalCommas(table) : table;
}

/** Spreadsheets put semicolons between cells where people put a comma before decimals. */
function withDecimalCommas(table: Table): Table {
  const columns = table.columns.map((column) =>
    column.field === 'amount' ? { ...column, mayHaveDecimalCommas: true } : column,
  );
  return { ...table, columns };
}

function parseRecords(
  body: string,
  delimiter: string,
  take: (cells: readonly string[], line: number, textOf: () => string) => void,
): void {
  const all = Buffer.from(body);
  let begin = 0;
  try {
    parse(all, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      // A quote inside a cell without quotes, such as 5" pipe, is text.
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: RECORD_LENGTH_MAX,
      // Records are handed over one by one, so that only the kept ones are in memory.
      on_record(cells: string[], { lines, bytes: end }: Info) {
        const textOf = () => all.toString('utf8', begin, end).trim();
        take(cells.slice(0, COLUMNS_MAX), lines - countBreaks(cells), textOf);
        begin = end;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at: unknown = Reflect.get(error, 'lines');
    throw new FileUnreadable('OPEN_QUOTE', typeof at === 'number' ? `Near line ${at}.` : null);
  }
}

function countBreaks(cells: readonly string[]): number {
  let breaks = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.split(/\r\n|\n|\r/).length - 1;
  }
  return breaks;
}

/** The separator that the first lines have most of, and at least one. A list of payouts has two columns or more. */
function findSeparator(body: string): string {
  const lines = body.slice(0, RECORD_LENGTH_MAX).split(/\r\n|\n|\r/, HEADER_WITHIN_ROWS);
  const sample = lines.map((line) => line.replace(/"[^"]*"/g, '')).join('\n');
  const counts = SEPARATORS.map((separator) => sample.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}
