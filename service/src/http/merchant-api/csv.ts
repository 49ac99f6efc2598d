/** CSV as an answer of the API, and the choice between it and JSON by the Accept header. */

import { formatCsvLine } from '../../domain/format-csv.ts';

export const CSV_CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';

/** A first line of column names, then the rows. */
export function toCsv(
  columns: readonly string[],
  rows: Iterable<readonly (string | null)[]>,
): string {
  let text = formatCsvLine(columns);
  for (const row of rows) text += formatCsvLine(row);
  return text;
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
