import { findTwoColumns } from '../../domain/payout-file/row-fields.ts';
import { FileUnreadable } from './file-unreadable.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import type { Table } from './table-builder.ts';

const ZIP_START = Buffer.from('PK\u0003\u0004', 'latin1');
/** Workbooks before XLSX, and those with a password. */
const COMPOUND_START = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);

/** Reads a list of payouts. What the file is shows in its first bytes; names and declared types are often wrong. */
export async function readTable(bytes: Buffer): Promise<Table> {
  const table = await readAnyTable(bytes);
  const two = findTwoColumns(table.columns);
  if (two === undefined) return table;
  const [first, second] = two.headers;
  const meaning = two.field === 'amount' ? 'amount' : 'number';
  const detail = `Both “${first}” and “${second}” mean the ${meaning}.`;
  throw new FileUnreadable('TWO_COLUMNS', detail);
}

async function readAnyTable(bytes: Buffer): Promise<Table> {
  if (isZip(bytes)) return readXlsx(bytes);
  if (bytes.subarray(0, COMPOUND_START.length).equals(COMPOUND_START)) {
    throw new FileUnreadable('OLD_EXCEL');
  }
  return readCsv(bytes);
}

/** As every XLSX file is. */
export function isZip(bytes: Buffer): boolean {
  return bytes.subarray(0, ZIP_START.length).equals(ZIP_START);
}
