import { type MergedPage, mergePages } from '../postgres/merge-pages.ts';
import type { Cell, Cells } from './cell.ts';
import { queryCells } from './query-cells.ts';

/** A page of what several cells have, and which of them did not answer. */
export type CellPage<T> = MergedPage<T> & Readonly<{ unansweredCells: readonly string[] }>;

/** One page of a list over all cells, in the order of the list. */
export async function mergeCells<T>(
  cells: Pick<Cells, 'list'>,
  page: Readonly<{
    limit: number;
    /** Below 0: the first comes first. Each cell answers in this order. */
    compare: (a: T, b: T) => number;
    /** Reads up to `max` rows. */
    read: (database: Cell['database'], max: number) => Promise<readonly T[]>;
  }>,
): Promise<CellPage<T>> {
  const { limit, compare, read } = page;
  const { answers, unanswered } = await queryCells(cells.list(), ({ database }) =>
    read(database, limit + 1),
  );
  const parts = answers.map(({ answer }) => answer);
  return { ...mergePages(parts, { limit, compare }), unansweredCells: unanswered };
}
