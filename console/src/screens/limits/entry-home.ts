import type { Call } from '../../api/call.ts';

/** Where a list belongs: to a book, or to the company. */
export type EntryHome = Readonly<{
  isCompanys: boolean;
  api: <T>(given: Call) => Promise<T>;
  key: (...rest: readonly unknown[]) => readonly unknown[];
  /** The second factor is asked in live books, and for the company's list. */
  needsFactor: boolean;
}>;
