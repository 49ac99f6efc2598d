import type { FeeTerms } from './fee.ts';
import type { Mode } from './transfer.ts';

/** One merchant's money in one mode. A request sees and changes its own book only. */
export type Book = Readonly<{
  id: string;
  merchantId: string;
  mode: Mode;
  feeTerms: FeeTerms;
  /** Its merchant may start no payouts now. */
  isSuspended: boolean;
  /** Counts the changes of its policy, lists and screeners; null: it has none. */
  controlsVersion: number | null;
}>;

/** A book as a caller names it, with the name of the cell that it is in. */
export type PlacedBook = Book & Readonly<{ cell: string }>;

/** Where a book is, without what its cell alone knows. */
export type BookPlace = Pick<PlacedBook, 'id' | 'merchantId' | 'mode' | 'cell'>;
