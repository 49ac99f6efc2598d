import { formatCsvLine } from '../../domain/format-csv.ts';
import { NUMBER_COLUMNS, RESULT_COLUMNS, type ResultRow } from './read-results.ts';
import { createXlsx } from './write-xlsx.ts';

export type ResultFormat = 'csv' | 'xlsx';

/** Writes a result file page by page: other work has its turn between two pages. */
export async function writeResults(
  pages: AsyncIterable<readonly ResultRow[]>,
  format: ResultFormat,
): Promise<Buffer> {
  return format === 'csv' ? writeCsv(pages) : writeXlsx(pages);
}

async function writeCsv(pages: AsyncIterable<readonly ResultRow[]>): Promise<Buffer> {
  const parts = [Buffer.from(formatCsvLine(RESULT_COLUMNS))];
  for await (const rows of pages) {
    const text = rows.map((row) => formatCsvLine(RESULT_COLUMNS.map((column) => row[column])));
    parts.push(Buffer.from(text.join('')));
  }
  return Buffer.concat(parts);
}

async function writeXlsx(pages: AsyncIterable<readonly ResultRow[]>): Promise<Buffer> {
  const xlsx = createXlsx('Results');
  await xlsx.add([RESULT_COLUMNS.map((text) => ({ text, isNumber: false }))]);
  for await (const rows of pages) {
    await xlsx.add(
      rows.map((row) =>
        RESULT_COLUMNS.map((column) => ({
          text: row[column],
          isNumber: NUMBER_COLUMNS.has(column),
        })),
      ),
    );
  }
  return xlsx.finish();
}
