import { type Cells, refuseCell } from '../cells/cell.ts';
import type { BookPlace, PlacedBook } from '../domain/book.ts';
import type { Statement } from '../postgres/database.ts';

/** Reads from the cell of a book what only the cell knows. */
export type BookReader = (place: BookPlace) => Promise<PlacedBook>;

/** Throws CELL_UNAVAILABLE where the cell cannot be reached, or has the book no longer because it is being moved. */
export function createBookReader(cells: Pick<Cells, 'named'>): BookReader {
  return async (place) => {
    const { database } = cells.named(place.cell);
    const [row] = await database.query<BookRow>(READ, [place.id]);
    if (row === undefined) throw refuseCell();
    return {
      ...place,
      feeTerms: { fixedMinor: row.fee_fixed_minor, basisPoints: row.fee_basis_points },
      isSuspended: row.is_suspended,
      controlsVersion: row.controls_version,
    };
  };
}

type BookRow = {
  fee_fixed_minor: bigint;
  fee_basis_points: number;
  is_suspended: boolean;
  controls_version: number | null;
};

const READ: Statement = {
  name: 'read-book',
  text: `
    select fee_fixed_minor, fee_basis_points, suspended_at is not null as is_suspended, controls_version
    from books where id = $1`,
};
