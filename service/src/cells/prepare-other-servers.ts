import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database } from '../postgres/database.ts';
import { MigrationRefused } from '../postgres/migration-refused.ts';
import { type KnownCell, listCells } from './list-cells.ts';
import { type Environment, openServer } from './open-server.ts';
import { prepareServer } from './prepare-server.ts';

/** A server whose cells could not be migrated. */
export type UnpreparedServer = Readonly<{
  urlVariable: string;
  cells: readonly string[];
  error: AdminRefused | MigrationRefused;
}>;

type ServerDeps = Readonly<{ env: Environment; say: (line: string) => void }>;

/**
 * Migrates the cells of all servers but the directory's, and renews the rights of the service on them. A server that
 * cannot be reached holds up no other.
 */
export async function prepareOtherServers(
  directory: Database,
  deps: ServerDeps,
): Promise<readonly UnpreparedServer[]> {
  const cells = await listCells(directory);
  const byVariable = Map.groupBy(cells, ({ urlVariable }) => urlVariable);
  const tried = await Promise.all(
    [...byVariable].flatMap(([urlVariable, there]) =>
      urlVariable === null ? [] : [tryServer(deps, urlVariable, there)],
    ),
  );
  return tried.filter((server) => server !== undefined);
}

async function tryServer(
  deps: ServerDeps,
  urlVariable: string,
  cells: readonly KnownCell[],
): Promise<UnpreparedServer | undefined> {
  try {
    await prepareOtherServer(deps, urlVariable, cells);
    return undefined;
  } catch (error) {
    if (!(error instanceof AdminRefused || error instanceof MigrationRefused)) throw error;
    return { urlVariable, cells: cells.map(({ name }) => name), error };
  }
}

/** Migrates the copy of the directory and the cells of one server. Throws AdminRefused or MigrationRefused. */
export async function prepareOtherServer(
  { env, say }: ServerDeps,
  urlVariable: string,
  cells: readonly KnownCell[],
): Promise<void> {
  const { database, role, close } = await openServer(env, urlVariable);
  try {
    await prepareServer(database, { cells, role, say });
  } finally {
    await close();
  }
}
