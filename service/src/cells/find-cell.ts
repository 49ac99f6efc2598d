import { AdminRefused } from '../domain/admin-refused.ts';
import { askCells } from './ask-cells.ts';
import { type Cell, type Cells, refuseCell } from './cell.ts';

/**
 * The cell that has something of which only an id is known. `has` is asked of all cells side by side; a cell alone is
 * not asked. Where none has it, a cell is given all the same, so that its use case refuses in its own words. Throws
 * CELL_UNAVAILABLE where none of those has it that answered, and some did not.
 */
export async function findCell(
  cells: Pick<Cells, 'list'>,
  has: (database: Cell['database']) => Promise<boolean>,
): Promise<Cell> {
  const all = cells.list();
  const [first] = all;
  if (first === undefined) throw refuseCell();
  if (all.length === 1) return first;
  const { answers, unanswered } = await askCells(all, ({ database }) => has(database));
  const found = answers.find(({ answer }) => answer)?.cell;
  if (found !== undefined) return found;
  if (unanswered.length > 0) throw refuseCell();
  return first;
}

/** Whether a use case finds its subject. Refused for another reason than that it is not there, it was found. */
export async function isFound(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (!(error instanceof AdminRefused)) throw error;
    return !error.code.endsWith('_NOT_FOUND');
  }
}
