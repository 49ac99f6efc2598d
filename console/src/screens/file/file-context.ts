import { createContext, useContext } from 'react';
import type { FileState, PayoutRow, RowField } from '../../api/payout-file-types.ts';

export type RowActs = Readonly<{
  /** Only rows of a draft can be changed. */
  isDraft: boolean;
  /** Of the file. */
  state: FileState;
  /** The currency of all rows, also of rows whose number shows no country. */
  currency: string | null;
  /** Why the reader cannot change them now. */
  inactive: string | undefined;
  /** The rows that the reader opened for correction although nothing is wrong with them. */
  opened: ReadonlySet<number>;
  open: (row: PayoutRow) => void;
  correct: (row: PayoutRow, field: RowField, text: string) => Promise<void>;
  drop: (row: PayoutRow) => Promise<void>;
  restore: (row: PayoutRow) => Promise<void>;
}>;

export const RowActsContext = createContext<RowActs | undefined>(undefined);

export function useRowActs(): RowActs {
  const acts = useContext(RowActsContext);
  if (acts === undefined) throw new Error('This part belongs to the rows of a file');
  return acts;
}
