import { FILE_PROBLEMS } from '../../../service/src/domain/payout-file/row-problem.ts';
import { FileUnreadable } from '../../../service/src/payout-files/reading/file-unreadable.ts';
import { isZip } from '../../../service/src/payout-files/reading/read-table.ts';
import { readXlsx } from '../../../service/src/payout-files/reading/read-xlsx.ts';
import type { CsvRecord } from '../csv/parse-csv.ts';
import { UnreadableFile } from './read-text-file.ts';

/** The list of payouts in a workbook, as if it were saved as CSV. */
export type WorkbookList = Readonly<{
  header: CsvRecord;
  rows: readonly CsvRecord[];
  /** Rows that the workbook hides. */
  hidden: readonly number[];
  otherSheets: readonly string[];
}>;

export function isWorkbook(bytes: Buffer): boolean {
  return isZip(bytes);
}

/** Reads a workbook as the service reads uploads. */
export async function readWorkbook(bytes: Buffer): Promise<WorkbookList> {
  try {
    const { columns: all, rows, otherSheets } = await readXlsx(bytes);
    const columns = all.filter(({ header, field }) => field !== null || header.trim() !== '');
    // The names that the service understands are more than ours: what it found is called by our names.
    const cells = columns.map(({ header, field }) => field ?? header);
    return {
      header: { line: 1, cells },
      rows: rows.map(({ line, texts }) => ({
        line,
        cells: columns.map(({ field }) => (field === null ? '' : (texts[field] ?? ''))),
      })),
      hidden: rows.filter(({ isHidden }) => isHidden).map(({ line }) => line),
      otherSheets,
    };
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new UnreadableFile(FILE_PROBLEMS[error.code]);
  }
}
