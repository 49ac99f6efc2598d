import type { Separator } from './parse-csv.ts';

const LINE_END = '\r\n';
// What spreadsheets take for the beginning of a formula, the full-width forms of Asian keyboards
// included; blanks, line ends and NUL because some drop them and then look at what follows.
const STARTS_FORMULA = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n\0]/;

/** One line of CSV with its end, harmless in a spreadsheet. */
export function formatCsvLine(cells: readonly string[], separator: Separator): string {
  return cells.map((cell) => formatCell(cell, separator)).join(separator) + LINE_END;
}

function formatCell(text: string, separator: Separator): string {
  // The apostrophe makes a spreadsheet show the text as it is instead of running it.
  const harmless = STARTS_FORMULA.test(text) ? `'${text}` : text;
  const needsQuotes = harmless.includes(separator) || /[",;\t\r\n]/.test(harmless);
  return needsQuotes ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
