import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createAdmission } from './admit-connections.ts';
import { type Database, DatabaseUnreachable, openDatabase } from './database.ts';
import { UnsafeDatabase } from './prepare-session.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
beforeEach(() => change('reset synchronous_commit'));
after(() => test.drop());

async function change(what: string): Promise<void> {
  const name = new URL(test.connectionString).pathname.slice(1);
  await test.database.query({ name: '', text: `alter database ${name} ${what}` });
}

function open(options: { allowUnsafe?: boolean } = {}) {
  const refused: string[] = [];
  const onRefused = (error: UnsafeDatabase) => void refused.push(error.message);
  const admission = createAdmission({ ...options, onRefused });
  const openPool = () =>
    openDatabase({
      connectionString: test.connectionString,
      applicationName: 'kafue-admitted',
      connectionsMax: 1,
      admission,
      onError: () => undefined,
    });
  return { refused, openPool };
}

async function valueOf(database: Database, name: string): Promise<string | undefined> {
  const text = `select current_setting('${name}') as value`;
  return (await database.query<{ value: string }>({ name: '', text }))[0]?.value;
}

describe('a new connection', () => {
  it('is refused when it is not durable, and this is reported once', async () => {
    const { refused, openPool } = open();
    await using pools = disposable([openPool()]);
    const [database] = pools.list;
    await change('set synchronous_commit = off');
    for (let tries = 0; tries < 3; tries += 1) {
      await assert.rejects(
        async () => database?.query({ name: '', text: 'select 1' }),
        (error) => error instanceof DatabaseUnreachable && error.cause instanceof UnsafeDatabase,
      );
    }
    assert.equal(refused.length, 1);
  });

  it('is accepted anyway where that is allowed', async () => {
    const { openPool } = open({ allowUnsafe: true });
    await using pools = disposable([openPool()]);
    const [database] = pools.list;
    assert.ok(database);
    await change('set synchronous_commit = off');
    assert.equal(await valueOf(database, 'synchronous_commit'), 'off');
    assert.equal(await database.isReady(), true);
  });

  it('keeps the synchronous_commit that it started with', async () => {
    const { openPool } = open();
    await using pools = disposable([openPool()]);
    const [database] = pools.list;
    assert.ok(database);
    const text = `select source from pg_settings where name = 'synchronous_commit'`;
    const [row] = await database.query<{ source: string }>({ name: '', text });
    assert.equal(row?.source, 'session');
  });

  it('shares with every pool whether the database can be used', async () => {
    const { openPool } = open();
    await using pools = disposable([openPool(), openPool()]);
    const [writes, reads] = pools.list;
    assert.ok(writes && reads);
    assert.equal(await reads.isReady(), true);
    await change('set synchronous_commit = off');
    assert.equal(await reads.isReady(), true, 'existing connections keep their setting');
    await assert.rejects(writes.query({ name: '', text: 'select 1' }), DatabaseUnreachable);
    assert.equal(await reads.isReady(), false);
    await change('set synchronous_commit = remote_apply');
    assert.equal(await reads.isReady(), true);
    assert.equal(await valueOf(writes, 'synchronous_commit'), 'remote_apply');
  });
});

function disposable(list: readonly Database[]) {
  return {
    list,
    async [Symbol.asyncDispose]() {
      await Promise.all(list.map((database) => database.close()));
    },
  };
}
