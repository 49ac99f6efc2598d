import { createTurnsByServer } from '../background/turns.ts';
import { type KnownCell, listCells } from '../cells/list-cells.ts';
import { type ComposedCell, composeCell } from './cell.ts';
import { CellKeeper } from './cell-keeper.ts';
import { createCellRuntime } from './cell-runtime.ts';
import { ConnectionShares } from './connection-shares.ts';
import type { CellPlace } from './databases.ts';
import { createDirectoryCopies, withCopy } from './directory-copies.ts';
import type { Runtime } from './runtime.ts';

/**
 * Groups of new transfers that one process commits at the same time on one server, however many cells it has. More at
 * once are smaller ones, and each costs as much as the storing of several transfers.
 */
const COMMITS_AT_ONCE_MAX = 2;

/** The cells of the service. Those that there are when it starts are composed at once, others when they are added. */
export async function composeCells(
  runtime: Runtime,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CellKeeper<ComposedCell>> {
  const copies = createDirectoryCopies(runtime, env);
  const shares = new ConnectionShares();
  const turnsOf = createTurnsByServer(COMMITS_AT_ONCE_MAX);
  const keeper: CellKeeper<ComposedCell> = new CellKeeper({
    listCells: () => listCells(runtime.directory),
    compose(cell, all) {
      const place = placeOf(runtime, env, cell, all);
      const cellRuntime = createCellRuntime(runtime, place, {
        turns: turnsOf(cell.urlVariable),
        hasOthers: () => keeper.hasSeveral(),
      });
      const composed = withShare(composeCell(cellRuntime), {
        join: () => shares.join(cell.urlVariable, cellRuntime),
        leave: () => shares.leave(cell.urlVariable, cellRuntime),
      });
      if (cell.urlVariable === null) return composed;
      return withCopy(composed, copies.open(cell.urlVariable, place.connectionString));
    },
    alone: runtime.alone,
    logger: runtime.logger,
  });
  await keeper.load();
  return keeper;
}

/** A cell with its share of the connections to its server, until it is closed. */
function withShare(
  cell: ComposedCell,
  { join, leave }: Readonly<{ join: () => void; leave: () => void }>,
): ComposedCell {
  join();
  return {
    ...cell,
    async close() {
      await cell.close();
      leave();
    },
  };
}

/** Throws when the address of its server is not set. */
function placeOf(
  { connectionString }: Runtime,
  env: Readonly<Record<string, string | undefined>>,
  { name, schema, urlVariable }: KnownCell,
  all: readonly KnownCell[],
): CellPlace {
  const sharesServer = all.some(
    (other) => other.name !== name && other.urlVariable === urlVariable,
  );
  const place = { name, schema, urlVariable, sharesServer };
  if (urlVariable === null) return { ...place, connectionString };
  const url = env[urlVariable];
  if (url === undefined || url === '') throw new Error(`${urlVariable} is not set`);
  return { ...place, connectionString: () => url };
}
