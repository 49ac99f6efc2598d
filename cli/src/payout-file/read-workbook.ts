import { FILE_PROBLEMS } from '../../../service/src/domain/payout-file/row-problem.ts';
import { FileUnreadable } from '../../../service/src/payout-files/reading/file-unreadable.ts';
import { isZip } from '../../../service/src/payout-files/reading/read-table.ts';
import { readXlsx } from '../../../service/src/payout-files/reading/read-xlsx.ts';
import type { CsvRecord } from '../csv/parse-csv.ts';
import { UnreadableFile } from './read-text-file.ts';

/** The list of payouts in a workbook, as if it were saved as CSV. */
export type WorkbookList = Readonly<{
  header: CsvRecord;
  /** Positions of columns whose cells the service leaves out of what it reads. */
  unread: ReadonlySet<number>;
  rows: readonly CsvRecord[];
  /** Rows that the workbook hides. */
  hidden: readonly number[];
  /** Rows with cells to the right of the last column that has a name. */
  overlong: readonly number[];
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
    const linesOf = (which: typeof rows): readonly number[] => which.map(({ line }) => line);
    return {
      header: { line: 1, cells: columns.map(({ header }) => header) },
      unread: new Set([...columns.keys()].filter((at) => columns[at]?.field === null)),
      rows: rows.map(({ line, texts }) => ({
        line,
        cells: columns.map(({ field }) => (field === null ? '' : (texts[field] ?? ''))),
      })),
      hidden: linesOf(rows.filter(({ isHidden }) => isHidden)),
      overlong: linesOf(rows.filter(({ texts }) => texts.extra !== undefined)),
      otherSheets,
    };
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new UnreadableFile(FILE_PROBLEMS[error.code]);
  }
}
