import { type ActPage, type ActRequest, mergeActs, readActs } from '../acts/list-acts.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Cells } from './cell.ts';
import { queryCells } from './query-cells.ts';

/** Lists what was done, in the directory and in all cells, newest first; names the cells that did not answer. */
export async function listAllActs(
  { directory, cells }: Readonly<{ directory: Queryable; cells: Pick<Cells, 'list'> }>,
  request: ActRequest,
): Promise<ActPage & Readonly<{ unansweredCells: readonly string[] }>> {
  const [{ answers, unanswered }, own] = await Promise.all([
    queryCells(cells.list(), ({ database }) => readActs(database, request)),
    readActs(directory, request),
  ]);
  const parts = [own, ...answers.map(({ answer }) => answer)];
  return { ...mergeActs(parts, request.page), unansweredCells: unanswered };
}
