import { type Cell, type Cells, unreachableCell } from '../cells/cell.ts';
import type { ComposedCell } from './cell.ts';
import type { CellKeeper } from './cell-keeper.ts';

/**
 * The cells for those who ask all of them. One that cannot be reached, or whose address is not known, is among them and
 * refuses at once: so lists name it without waiting for it.
 */
export function composeQueriedCells(
  cells: Pick<CellKeeper<ComposedCell>, 'alone' | 'answering' | 'down' | 'named'>,
): Cells {
  return {
    list() {
      const alone = cells.alone();
      if (alone !== undefined) return [alone];
      const all: readonly Cell[] = [...cells.answering(), ...cells.down().map(unreachableCell)];
      return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    named: (name) => cells.named(name),
  };
}
