import assert from 'node:assert/strict';
import type { MoveCell } from '../src/cells/move/moving-merchant.ts';
import { MAIN_CELL } from '../src/schema/service-schema.ts';
import { runCommand } from './admin-command.ts';
import type { MovePlace } from './move-deps.ts';
import { openSecondServer } from './second-server.ts';
import type { TestDatabase } from './test-database.ts';
import { createTwoCells, SECOND_CELL } from './two-cells.ts';

export type ThreeCells = Readonly<{
  test: TestDatabase;
  /** All three, as the owner of their tables. */
  places: readonly MovePlace[];
  /** What the service needs to reach the other server. */
  env: Readonly<Record<string, string>>;
  main: MoveCell;
  second: MoveCell;
  far: MoveCell;
  drop(): Promise<void>;
}>;

/** The cells `main` and `second` on the server of the tests, and `far` on another one. */
export async function createThreeCells(): Promise<ThreeCells> {
  await using opened = new AsyncDisposableStack();
  const two = await createTwoCells();
  opened.defer(() => two.drop());
  const server = await openSecondServer();
  opened.defer(() => server.close());
  const env = { FAR_DATABASE_URL: server.serviceUrl };
  const added = await runCommand(
    two.test,
    { ...env, MIGRATION_FAR_DATABASE_URL: server.connectionString },
    ['cells', 'add', 'far', '--database-url-env', 'FAR_DATABASE_URL'],
  );
  assert.equal(added.exitCode, 0, added.error);
  const { test, main, second } = two;
  const { connectionString } = test;
  const toClose = opened.move();
  return {
    test,
    places: [
      { ...MAIN_CELL, connectionString },
      { ...SECOND_CELL, connectionString },
      { name: 'far', schema: 'cell_far', connectionString: server.connectionString },
    ],
    env,
    main,
    second,
    far: { name: 'far', database: server.database },
    drop: () => toClose.disposeAsync(),
  };
}
