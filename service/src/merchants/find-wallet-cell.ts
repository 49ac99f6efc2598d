import type { Cell } from '../cells/cell.ts';
import { type FindCellDeps, findCell } from '../cells/find-cell.ts';
import { listWalletsById } from './find-wallet-for-staff.ts';

/** The cell of the wallet with this id. */
export function findWalletCell(deps: FindCellDeps, id: string): Promise<Cell> {
  return findCell(deps, (database) => listWalletsById(database, id));
}
