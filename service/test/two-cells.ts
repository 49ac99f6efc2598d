import type { MoveDeps } from '../src/cells/move/move-merchant.ts';
import type { MoveCell } from '../src/cells/move/moving-merchant.ts';
import type { Database } from '../src/postgres/database.ts';
import { MAIN_CELL } from '../src/schema/service-schema.ts';
import { makeCell } from './make-cell.ts';
import { openMoveDeps } from './move-deps.ts';
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
  const { connectionString } = test;
  const opened = openMoveDeps([
    { ...MAIN_CELL, connectionString },
    { ...SECOND_CELL, connectionString },
  ]);
  const { directory, deps } = opened;
  return {
    test,
    directory,
    main: deps.cellNamed(MAIN_CELL.name),
    second: deps.cellNamed(SECOND_CELL.name),
    deps,
    async drop() {
      await opened.close();
      await test.drop();
    },
  };
}
