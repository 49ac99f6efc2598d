import { randomUUID } from 'node:crypto';
import { addCell } from '../../service/src/cells/add-cell.ts';
import { type Database, openDatabase } from '../../service/src/postgres/database.ts';
import { listGranted } from '../../service/src/postgres/grant-rights.ts';
import { DIRECTORY, MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import { type CellPlace, makeCell } from '../../service/test/make-cell.ts';
import { TEST_ACTOR } from '../../service/test/test-actor.ts';
import type { CellsPlan } from '../plan/plan.ts';
import { CELL_SERVER_VARIABLE, type CellServer } from './cell-server.ts';
import type { CellAt } from './cell-urls.ts';
import { queryOnce } from './query-once.ts';

/**
 * Adds the cells of the plan, and returns all, `main` first. Statements of the harness on the first server find the
 * tables of the last of its cells from now on: the payer is there.
 */
export async function addCells(
  databaseUrl: string,
  { plan, server }: Readonly<{ plan: CellsPlan; server: CellServer | undefined }>,
): Promise<readonly CellAt[]> {
  const near = await addNear(databaseUrl, plan.near);
  const far = server === undefined ? [] : await addFar(databaseUrl, { names: plan.far, server });
  const [found] = await queryOnce<{ name: string }>(databaseUrl, NAME);
  const path = searchPathOf(near.at(-1) ?? MAIN_CELL).join(', ');
  await queryOnce(databaseUrl, `alter database ${found?.name} set search_path = ${path}`);
  return [
    ...near.map((place) => ({ ...place, isFar: false })),
    ...far.map((place) => ({ ...place, isFar: true })),
  ];
}

async function addNear(
  databaseUrl: string,
  names: readonly string[],
): Promise<readonly CellPlace[]> {
  const places: CellPlace[] = [MAIN_CELL];
  await withDatabase(databaseUrl, undefined, async (database) => {
    const [role] = await listGranted(database, `${MAIN_CELL.schema}.transfers`);
    for (const name of names) {
      const place = { name, schema: name };
      await makeCell(database, place, role);
      places.push(place);
    }
  });
  return places;
}

/** As the command `cells add NAME --database-url-env VARIABLE` does. */
async function addFar(
  databaseUrl: string,
  { names, server }: Readonly<{ names: readonly string[]; server: CellServer }>,
): Promise<readonly CellPlace[]> {
  const env = {
    [CELL_SERVER_VARIABLE]: server.serviceUrl,
    [`MIGRATION_${CELL_SERVER_VARIABLE}`]: server.ownerUrl,
  };
  const places: CellPlace[] = [];
  await withDatabase(databaseUrl, [DIRECTORY.schema], async (directory) => {
    const deps = { directory, env, now: () => new Date(), newId: randomUUID, say: () => undefined };
    for (const name of names) {
      const request = { actor: TEST_ACTOR, name, urlVariable: CELL_SERVER_VARIABLE };
      places.push(await addCell(deps, request));
    }
  });
  return places;
}

async function withDatabase(
  connectionString: string,
  searchPath: readonly string[] | undefined,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const database = openDatabase({
    connectionString,
    applicationName: 'faults',
    connectionsMax: 1,
    ...(searchPath === undefined ? {} : { searchPath }),
    onError: () => undefined,
  });
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

const NAME = 'select quote_ident(current_database()) as name';
