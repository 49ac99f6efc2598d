import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { readConfig } from '../config/config.ts';
import type { Database } from '../postgres/database.ts';
import { createLogger } from '../telemetry/logger.ts';
import { ConnectionShares, shareConnections } from './connection-shares.ts';
import { type CellDatabases, createServerAdmission, openCellDatabases } from './databases.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const config = readConfig({});
const logger = createLogger({ level: 'silent' });

/** Cells on the server of the test, which are closed when it ends. */
function openShares(t: TestContext) {
  const shares = new ConnectionShares();
  const opened = new Map<CellDatabases, () => Promise<unknown>>();
  const connectionString = () => test.connectionString;
  function add(name: string): CellDatabases {
    const databases = openCellDatabases(
      {
        config,
        logger,
        connectionString,
        admission: createServerAdmission({ config, logger }),
      },
      { name, schema: 'public', connectionString, urlVariable: null, sharesServer: true },
    );
    shares.join(null, databases);
    opened.set(databases, () => Promise.all(Object.values(databases).map((one) => one.close())));
    return databases;
  }
  async function remove(databases: CellDatabases): Promise<void> {
    await opened.get(databases)?.();
    opened.delete(databases);
    shares.leave(null, databases);
  }
  t.after(() => Promise.all([...opened.values()].map((close) => close())));
  return { add, remove };
}

/** Wants more connections of each kind than a cell may have, until it is stopped. */
function keepBusy(databases: CellDatabases): () => Promise<unknown> {
  let isStopped = false;
  const work = async (database: Database) => {
    while (!isStopped) await database.query(SHORT);
  };
  const workers = Object.values(databases).flatMap((database) =>
    Array.from({ length: 15 }, () => work(database)),
  );
  return () => {
    isStopped = true;
    return Promise.all(workers);
  };
}

const SHORT = { name: '', text: 'select pg_sleep(0.15)' };
const COUNT = {
  name: '',
  text: `
    select application_name, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and application_name like 'kafue % %'
    group by application_name`,
};

/** Open connections of each handle, by its cell and kind. */
async function countOpen(): Promise<ReadonlyMap<string, number>> {
  const rows = await test.database.query<{ application_name: string; count: number }>(COUNT);
  return new Map(
    rows.map(({ application_name: name, count }) => [name.slice(6, name.lastIndexOf(' ')), count]),
  );
}

async function hasShare(name: string, cellsOnServer: number): Promise<boolean> {
  const open = await countOpen();
  const { writes, groupWrites, reads, lookups } = shareConnections(cellsOnServer);
  const expected = { writer: writes, 'group writer': groupWrites, reader: reads, lookups };
  return Object.entries(expected).every(([kind, count]) => open.get(`${name} ${kind}`) === count);
}

const totalOf = (cells: number) =>
  cells * Object.values(shareConnections(cells)).reduce((sum, count) => sum + count, 0);

describe('cells of one server', () => {
  it('have at least two connections for each kind of work, however many they are', () => {
    assert.deepEqual(shareConnections(1), { writes: 12, groupWrites: 3, reads: 7, lookups: 2 });
    assert.deepEqual(shareConnections(2), { writes: 6, groupWrites: 2, reads: 3, lookups: 2 });
    assert.deepEqual(shareConnections(3), { writes: 4, groupWrites: 2, reads: 2, lookups: 1 });
    assert.deepEqual(shareConnections(100), { writes: 2, groupWrites: 2, reads: 2, lookups: 1 });
  });

  it('have as many in all as the guide to scaling says', () => {
    assert.deepEqual([1, 2, 3, 4, 6, 100].map(totalOf), [24, 26, 27, 32, 42, 700]);
  });

  it('have never more connections than their shares, also while cells come and go under load', async (t) => {
    const { add, remove } = openShares(t);
    const first = add('first');
    const stopFirst = keepBusy(first);
    await pollUntil('all connections of one cell', () => hasShare('first', 1));
    let most = 0;
    const watching = { ended: false };
    const watch = (async () => {
      while (!watching.ended) {
        const counts = [...(await countOpen()).values()];
        most = Math.max(
          most,
          counts.reduce((sum, count) => sum + count, 0),
        );
      }
    })();
    const second = add('second');
    const stopSecond = keepBusy(second);
    await pollUntil('those of two', async () => {
      return (await hasShare('first', 2)) && hasShare('second', 2);
    });
    await stopSecond();
    await remove(second);
    await pollUntil('those of one again', () => hasShare('first', 1));
    watching.ended = true;
    await Promise.all([watch, stopFirst()]);
    assert.ok(most <= totalOf(2), `${most} connections`);
    assert.ok(most >= totalOf(1), `${most} connections`);
  });
});
