import type { Cell, Cells } from '../cells/cell.ts';
import { findCell, isFound } from '../cells/find-cell.ts';
import { findWallet } from './find-wallet.ts';

/** The cell of the wallet with this id. */
export function findWalletCell(cells: Pick<Cells, 'list'>, id: string): Promise<Cell> {
  return findCell(cells, (database) => isFound(findWallet(database, id)));
}
