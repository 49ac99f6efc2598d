import type { Cell, Cells } from './cell.ts';
import { queryCells } from './query-cells.ts';

/** What all cells have of something; each gives a bounded part of it. */
export type CellList<T> = Readonly<{
  items: readonly T[];
  /** A cell has more than it gave. */
  more: boolean;
  unansweredCells: readonly string[];
}>;

/** The lists of all cells as one, in the order of `compare`. */
export async function mergeLists<T>(
  cells: Pick<Cells, 'list'>,
  {
    read,
    compare,
  }: Readonly<{
    read: (database: Cell['database']) => Promise<Readonly<{ items: readonly T[]; more: boolean }>>;
    /** Below 0: the first comes first. */
    compare: (a: T, b: T) => number;
  }>,
): Promise<CellList<T>> {
  const { answers, unanswered } = await queryCells(cells.list(), ({ database }) => read(database));
  const parts = answers.map(({ answer }) => answer);
  return {
    items:
      parts.length === 1
        ? (parts[0]?.items ?? [])
        : parts.flatMap(({ items }) => items).sort(compare),
    more: parts.some(({ more }) => more),
    unansweredCells: unanswered,
  };
}
