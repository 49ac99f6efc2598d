import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type CellPlace, createServerAdmission, openCellDatabases } from './databases.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const config = readConfig({});
const logger = createLogger({ level: 'silent' });

/** Connections that each handle of a cell opens when more are wanted than it may have. */
async function countConnections(cellsOnServer: number) {
  const connectionString = () => test.connectionString;
  const place: CellPlace = { name: 'main', schema: 'public', connectionString, cellsOnServer };
  const admission = createServerAdmission({ config, logger });
  const { probe, ...handles } = openCellDatabases(
    { config, logger, connectionString, admission },
    place,
  );
  try {
    const counted = Object.entries(handles).map(async ([name, database]) => {
      const pids = await Promise.all(
        Array.from({ length: 15 }, () => database.query<{ pid: number }>(SLOW)),
      );
      return [name, new Set(pids.map(([row]) => row?.pid)).size] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  } finally {
    await Promise.all([probe, ...Object.values(handles)].map((database) => database.close()));
  }
}

// Long enough that all wanted connections are open before the first is free again.
const SLOW = { name: '', text: 'select pg_backend_pid() as pid from pg_sleep(0.3)' };

it('cells share the connections to their server, and each has at least two of a kind', async () => {
  assert.deepEqual(await countConnections(1), { writes: 12, groupWrites: 3, reads: 8 });
  assert.deepEqual(await countConnections(3), { writes: 4, groupWrites: 2, reads: 2 });
  assert.deepEqual(await countConnections(100), { writes: 2, groupWrites: 2, reads: 2 });
});
