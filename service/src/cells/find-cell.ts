import type { Queryable, Statement } from '../postgres/database.ts';
import { type Cell, type Cells, refuseCell } from './cell.ts';
import { queryCells } from './query-cells.ts';

export type FindCellDeps = Readonly<{ directory: Queryable; cells: Pick<Cells, 'list'> }>;

/** Something that a cell has. `merchantId` is null where it is no merchant's. */
type Held = Readonly<{ merchantId: string | null }>;

export type FoundInCell<T> = Readonly<{ cell: Cell; held: T }>;

/**
 * The cell that has something of which only an id is known. `look` is asked of all cells side by side; a cell alone is
 * not asked. Where none has it, a cell is given all the same, so that its use case refuses in its own words. Throws
 * CELL_UNAVAILABLE where none of those has it that answered, and some did not.
 */
export async function findCell(
  deps: FindCellDeps,
  look: (database: Cell['database']) => Promise<readonly Held[]>,
): Promise<Cell> {
  const [first, ...others] = deps.cells.list();
  if (first === undefined) throw refuseCell();
  if (others.length === 0) return first;
  const [found] = await findHeld(deps, look);
  return found?.cell ?? first;
}

/**
 * What the cells have of something, by the order of their names. A merchant that moves or has moved is in two cells: then
 * what counts is in the one that the directory names. Throws CELL_UNAVAILABLE where that, or any that may have it, did
 * not answer.
 */
export async function findHeld<T extends Held>(
  { directory, cells }: FindCellDeps,
  look: (database: Cell['database']) => Promise<readonly T[]>,
): Promise<readonly FoundInCell<T>[]> {
  const { answers, unanswered } = await queryCells(cells.list(), ({ database }) => look(database));
  const all = answers.flatMap(({ cell, answer }) => answer.map((held) => ({ cell, held })));
  if (all.length === 0 && unanswered.length > 0) throw refuseCell();
  if (all.length === 0) return [];
  const merchantIds = [...new Set(all.map(({ held }) => held.merchantId))];
  const places = await readPlaces(directory, merchantIds);
  const placeOf = ({ held, cell }: FoundInCell<T>) =>
    places.get(held.merchantId ?? '') ?? cell.name;
  const right = all.filter((one) => placeOf(one) === one.cell.name);
  if (right.length > 0) return right;
  if (all.some((one) => unanswered.includes(placeOf(one)))) throw refuseCell();
  return all;
}

async function readPlaces(
  directory: Queryable,
  merchantIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await directory.query<{ id: string; cell: string }>(READ_PLACES, [merchantIds]);
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

const READ_PLACES: Statement = {
  name: '',
  text: 'select id, cell from directory.merchants where id = any ($1::uuid[])',
};
