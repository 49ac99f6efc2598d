import { type Cells, FIRST_CELL, refuseCell } from '../cells/cell.ts';
import { queryCells } from '../cells/query-cells.ts';
import type { PersonActor } from '../domain/actor.ts';
import { addScreener, type ScreenerDeps, type ScreenerWithSecret } from './add-screener.ts';
import { isNameOfBook, refuseNameOfBook } from './refuse-taken-name.ts';
import { removeScreener } from './remove-screener.ts';

export type CompanyScreenerDeps = ScreenerDeps &
  Readonly<{
    cells: Pick<Cells, 'list'>;
    /** Has all cells that answer take over what the company changed. */
    tellCells: () => Promise<void>;
  }>;

/**
 * Adds a screener of the company, in the main cell. A book of another cell may add one of that name until its cell has
 * taken over the company's: then the book was first, and the company's is removed again.
 */
export async function addCompanyScreener(
  deps: CompanyScreenerDeps,
  request: Readonly<{ actor: PersonActor; name: string; url: URL; deadlineMs: number }>,
): Promise<ScreenerWithSecret> {
  const { actor, name } = request;
  const before = await askOthers(deps, name);
  if (before.isTaken) throw refuseNameOfBook(name);
  if (before.isUnknown) throw refuseCell();
  const added = await addScreener(deps, { ...request, owner: 'company' });
  await deps.tellCells();
  // A cell that does not answer now was asked a moment ago, and asks a book's own screener before the company's.
  if ((await askOthers(deps, name)).isTaken) {
    await removeScreener(deps, { actor, owner: 'company', id: added.screener.id });
    await deps.tellCells();
    throw refuseNameOfBook(name);
  }
  return added;
}

/** Whether books of other cells have a screener of this name. Those of the main cell are looked at under its lock. */
async function askOthers(
  { cells }: CompanyScreenerDeps,
  name: string,
): Promise<Readonly<{ isTaken: boolean; isUnknown: boolean }>> {
  const others = cells.list().filter((cell) => cell.name !== FIRST_CELL);
  const { answers, unanswered } = await queryCells(others, ({ database }) =>
    isNameOfBook(database, name),
  );
  return { isTaken: answers.some(({ answer }) => answer), isUnknown: unanswered.length > 0 };
}
