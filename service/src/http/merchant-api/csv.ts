/** CSV as in RFC 4180, and the choice between it and JSON by the Accept header. */

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';

const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;
// Characters that begin a formula in spreadsheets, with the full-width forms of Asian keyboards. Tab, line ends and NUL
// are included because spreadsheets drop them and then look at the next character.
const STARTS_FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** One line of column names, then the rows. Every line ends with CRLF, including the last. */
export function toCsv(
  columns: readonly string[],
  rows: Iterable<readonly (string | null)[]>,
): string {
  let text = `${columns.map(toCell).join(',')}${LINE_END}`;
  for (const row of rows) text += `${row.map(toCell).join(',')}${LINE_END}`;
  return text;
}

function toCell(value: string | null): string {
  if (value === null) return '';
  // The apostrophe makes a spreadsheet show the text instead of running it.
  const harmless = STARTS_FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

type MediaRange = Readonly<{ type: string; quality: number }>;
type Rating = Readonly<{ quality: number; specificity: number }>;

const WEIGHT_PATTERN = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/;
const UNWANTED: Rating = { quality: 0, specificity: 0 };

/**
 * Whether the Accept header prefers CSV to JSON. The higher weight wins; at equal weight the more specific range wins,
 * so text/csv beside a wildcard is CSV. Everything else is JSON.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',').flatMap(parseMediaRange);
  const csv = rate(ranges, ['text/csv', 'text/*', '*/*']);
  const json = rate(ranges, ['application/json', 'application/*', '*/*']);
  if (csv.quality !== json.quality) return csv.quality > json.quality;
  return csv.quality > 0 && csv.specificity > json.specificity;
}

function parseMediaRange(text: string): MediaRange[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return WEIGHT_PATTERN.test(weight) ? [{ type, quality: Number(weight) }] : [];
}

/** The weight of the most specific range: `text/csv;q=0` forbids CSV even beside a wildcard. */
function rate(ranges: readonly MediaRange[], closestFirst: readonly string[]): Rating {
  for (const [index, type] of closestFirst.entries()) {
    const qualities = ranges.filter((range) => range.type === type).map(({ quality }) => quality);
    if (qualities.length === 0) continue;
    return { quality: Math.max(...qualities), specificity: closestFirst.length - index };
  }
  return UNWANTED;
}
