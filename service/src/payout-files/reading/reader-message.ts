import type { Currency } from '../../domain/money.ts';
import type { FileProblemCode } from '../../domain/payout-file/row-problem.ts';
import type { Table } from './table-builder.ts';

/** A file as a whole, without its rows. */
export type TableHead = Omit<Table, 'rows'> & Readonly<{ total: number; uploadHash: string }>;

/** What the thread that reads a file says. It waits for an answer after the head and after rows. */
export type ReaderMessage =
  | Readonly<{ kind: 'read'; table: TableHead }>
  | CheckedRows
  | Readonly<{ kind: 'done' }>
  | Readonly<{ kind: 'unreadable'; code: FileProblemCode; detail: string | null }>;

/** Rows that are checked, as JSON for the statement that stores them. */
export type CheckedRows = Readonly<{
  kind: 'rows';
  json: string;
  count: number;
  /** As the rows up to here name them. */
  walletId: string | null;
  currency: Currency | null;
}>;
