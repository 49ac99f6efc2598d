import type { Book } from '../domain/book.ts';
import type { Mode } from '../domain/transfer.ts';

/** Of `books b` beside a row with `book_id`. */
export const BOOK_COLUMNS = `
  b.merchant_id, b.mode, b.fee_fixed_minor, b.fee_basis_points, b.suspended_at is not null as is_suspended,
  b.controls_version`;

export type BookRow = {
  book_id: string;
  merchant_id: string;
  mode: Mode;
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  is_suspended: boolean;
  controls_version: number | null;
};

export function toBook(row: BookRow): Book {
  return {
    id: row.book_id,
    merchantId: row.merchant_id,
    mode: row.mode,
    feeTerms: { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points },
    isSuspended: row.is_suspended,
    controlsVersion: row.controls_version,
  };
}
