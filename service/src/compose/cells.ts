import { type KnownCell, listCells } from '../cells/list-cells.ts';
import { type ComposedCell, composeCell } from './cell.ts';
import { CellKeeper } from './cell-keeper.ts';
import { createCellRuntime } from './cell-runtime.ts';
import type { CellPlace } from './databases.ts';
import { createDirectoryCopies, withCopy } from './directory-copies.ts';
import type { Runtime } from './runtime.ts';

/** The cells of the service. Those that there are when it starts are composed at once, others when they are added. */
export async function composeCells(
  runtime: Runtime,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CellKeeper<ComposedCell>> {
  const copies = createDirectoryCopies(runtime, env);
  const keeper: CellKeeper<ComposedCell> = new CellKeeper({
    listCells: () => listCells(runtime.directory),
    compose(cell, all) {
      const place = placeOf(runtime, env, cell, all);
      const composed = composeCell(createCellRuntime(runtime, place, () => keeper.hasSeveral()));
      if (cell.urlVariable === null) return composed;
      return withCopy(composed, copies.open(cell.urlVariable, place.connectionString));
    },
    alone: runtime.alone,
    logger: runtime.logger,
  });
  await keeper.load();
  return keeper;
}

/** Throws when the address of its server is not set. */
function placeOf(
  { connectionString }: Runtime,
  env: Readonly<Record<string, string | undefined>>,
  { name, schema, urlVariable }: KnownCell,
  all: readonly KnownCell[],
): CellPlace {
  const cellsOnServer = all.filter((other) => other.urlVariable === urlVariable).length;
  if (urlVariable === null) return { name, schema, connectionString, cellsOnServer };
  const url = env[urlVariable];
  if (url === undefined || url === '') throw new Error(`${urlVariable} is not set`);
  return { name, schema, connectionString: () => url, cellsOnServer };
}
