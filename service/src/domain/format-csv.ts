/** CSV as in RFC 4180, harmless in a spreadsheet. The one writer of the service, the CLI and the console. */

/** Spreadsheets of countries with a decimal comma separate cells by semicolons. */
export type CsvSeparator = ',' | ';' | '\t';

const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",;\t\r\n]/;
// What spreadsheets take for the beginning of a formula, the full-width forms of Asian keyboards
// included. Blanks, line ends and NUL before it count too: some spreadsheets drop them first.
const STARTS_FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n\0]/;

/** One line with its end. Null is an empty cell. */
export function formatCsvLine(
  cells: readonly (string | null)[],
  separator: CsvSeparator = ',',
): string {
  return cells.map(formatCell).join(separator) + LINE_END;
}

function formatCell(value: string | null): string {
  if (value === null) return '';
  // The apostrophe makes a spreadsheet show the text as it is instead of running it.
  const harmless = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
