import { formatCsvLine } from '../../domain/format-csv.ts';
import { NUMBER_COLUMNS, RESULT_COLUMNS, type ResultRow } from './read-results.ts';
import { writeXlsx, type XlsxCell } from './write-xlsx.ts';

export type ResultFormat = 'csv' | 'xlsx';

/** Writes a result file in parts, one for each page of rows: the whole of it is never in memory. */
export function writeResults(
  pages: AsyncIterable<readonly ResultRow[]>,
  format: ResultFormat,
): AsyncGenerator<Buffer, undefined> {
  return format === 'csv' ? writeCsv(pages) : writeXlsx('Results', toCells(pages));
}

async function* writeCsv(
  pages: AsyncIterable<readonly ResultRow[]>,
): AsyncGenerator<Buffer, undefined> {
  let columns = formatCsvLine(RESULT_COLUMNS);
  for await (const rows of pages) {
    const lines = rows.map((row) => formatCsvLine(RESULT_COLUMNS.map((column) => row[column])));
    yield Buffer.from(columns + lines.join(''));
    columns = '';
  }
  if (columns !== '') yield Buffer.from(columns);
}

async function* toCells(
  pages: AsyncIterable<readonly ResultRow[]>,
): AsyncGenerator<readonly (readonly XlsxCell[])[]> {
  yield [RESULT_COLUMNS.map((text) => ({ text, isNumber: false }))];
  for await (const rows of pages) {
    yield rows.map((row) =>
      RESULT_COLUMNS.map((column) => ({
        text: row[column],
        isNumber: NUMBER_COLUMNS.has(column),
      })),
    );
  }
}
