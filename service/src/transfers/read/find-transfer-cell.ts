import type { Cell, Cells } from '../../cells/cell.ts';
import { findCell, isFound } from '../../cells/find-cell.ts';
import { findAnyTransfer, findNamedTransfer, type TransferName } from './find-any-transfer.ts';

/** The cell of the transfer with this id or operator reference. */
export function findTransferCell(cells: Pick<Cells, 'list'>, id: string): Promise<Cell> {
  return findCell(cells, (database) => isFound(findAnyTransfer(database, id)));
}

/** The cell of the transfer of this name. Where several have a namesake, the first of them. */
export function findNamedTransferCell(
  cells: Pick<Cells, 'list'>,
  name: TransferName,
): Promise<Cell> {
  return findCell(cells, (database) => isFound(findNamedTransfer(database, name)));
}
