import { type Cell, refuseCell } from '../../cells/cell.ts';
import { type FindCellDeps, findCell, findHeld } from '../../cells/find-cell.ts';
import {
  ambiguousTransfer,
  findTransferById,
  listNamedTransfers,
  type TransferName,
} from './find-any-transfer.ts';

/** The cell of the transfer with this id or operator reference. */
export function findTransferCell(deps: FindCellDeps, id: string): Promise<Cell> {
  return findCell(deps, async (database) => {
    const found = await findTransferById(database, id);
    return found === undefined ? [] : [found];
  });
}

/** The cell of the transfer of this name. One that transfers of several cells have is refused with whose they are. */
export async function findNamedTransferCell(deps: FindCellDeps, name: TransferName): Promise<Cell> {
  const [first, ...others] = deps.cells.list();
  if (first !== undefined && others.length === 0) return first;
  const all = await findHeld(deps, (database) => listNamedTransfers(database, name));
  // What has this id or operator reference comes before what has it as the merchant's reference.
  const byId = all.filter(({ held }) => held.isById);
  const found = byId.length > 0 ? byId : all;
  const cells = new Set(found.map(({ cell }) => cell));
  if (cells.size > 1) throw ambiguousTransfer(found.map(({ held }) => held));
  const [cell = first] = cells;
  if (cell === undefined) throw refuseCell();
  return cell;
}
