import { randomUUID } from 'node:crypto';
import type { MoveDeps } from '../src/cells/move/move-merchant.ts';
import type { MoveCell } from '../src/cells/move/moving-merchant.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { DIRECTORY, MAIN_CELL, searchPathOf } from '../src/schema/service-schema.ts';
import { makeCell } from './make-cell.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export const SECOND_CELL = { name: 'second', schema: 'cell_second' } as const;

export type TwoCells = Readonly<{
  test: TestDatabase;
  directory: Database;
  main: MoveCell;
  second: MoveCell;
  deps: MoveDeps;
  drop(): Promise<void>;
}>;

/** A database with the cells `main` and `second`, each in its schema, as their owner sees them. */
export async function createTwoCells(): Promise<TwoCells> {
  const test = await createTestDatabase();
  const role = new URL(test.serviceUrl).username;
  await makeCell(test.database, SECOND_CELL, role);
  return { test, ...openTwoCells(test) };
}

/** Handles of the two cells of a database, and what a move needs. */
export function openTwoCells(test: Pick<TestDatabase, 'connectionString'> & Partial<TestDatabase>) {
  const directory = open(test.connectionString, [DIRECTORY.schema]);
  const main = {
    name: MAIN_CELL.name,
    database: open(test.connectionString, searchPathOf(MAIN_CELL)),
  };
  const second = {
    name: SECOND_CELL.name,
    database: open(test.connectionString, searchPathOf(SECOND_CELL)),
  };
  const deps: MoveDeps = {
    directory,
    cellNamed(name) {
      const found = [main, second].find((cell) => cell.name === name);
      if (found === undefined) throw new Error(`no cell ${name}`);
      return found;
    },
    now: () => new Date(),
    newId: () => randomUUID(),
    monotonicMs: () => performance.now(),
  };
  return {
    directory,
    main,
    second,
    deps,
    async drop() {
      await Promise.all([directory.close(), main.database.close(), second.database.close()]);
      await test.drop?.();
    },
  };
}

function open(connectionString: string, searchPath: readonly string[]): Database {
  return openDatabase({
    connectionString,
    applicationName: 'kafue-test',
    connectionsMax: 5,
    searchPath,
    onError: () => undefined,
  });
}
