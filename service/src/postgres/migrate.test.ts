import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';
import { migrate } from './migrate.ts';
import { MigrationRefused } from './migration-refused.ts';

let directory: string;
let test: TestDatabase;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kafue-migrations-'));
});
after(() => rm(directory, { recursive: true }));
beforeEach(async () => {
  test = await createEmptyDatabase();
  await rm(directory, { recursive: true });
  directory = await mkdtemp(join(tmpdir(), 'kafue-migrations-'));
  await writeFile(join(directory, '0001_first.sql'), 'create table one (n integer);');
});
afterEach(() => test.drop());

const add = (name: string, text: string) => writeFile(join(directory, name), text);
const run = (corrected = {}) =>
  migrate(test.database, {
    title: 'the tables',
    schema: 'public',
    folders: [directory],
    corrected,
    say: () => undefined,
  });
const query = (text: string) => test.database.query({ name: '', text });

describe('migrations', () => {
  it('run once, in order, even when many processes start at the same time', async () => {
    await add('0002_second.sql', 'create table two (n integer); insert into two values (1);');
    await Promise.all([run(), run(), run(), run()]);
    await run();
    assert.deepEqual(await query('select n from two'), [{ n: 1 }]);
  });

  it('leave the database as it was when one fails', async () => {
    await add('0002_broken.sql', 'create table two (n integer); select 1 / 0;');
    await assert.rejects(run(), /division by zero/);
    await assert.rejects(query('select n from one'), /does not exist/);
  });

  it('refuse a database that is newer than the code', async () => {
    await add('0002_second.sql', 'create table two (n integer);');
    await run();
    await rm(join(directory, '0002_second.sql'));
    await assert.rejects(run(), (error) => {
      assert.ok(error instanceof MigrationRefused);
      assert.equal(error.code, 'NEWER_THAN_CODE');
      assert.deepEqual(error.facts, { version: 2, knownVersion: 1 });
      return true;
    });
  });

  it('refuse a file that was changed after it was applied', async () => {
    await run();
    await add('0001_first.sql', 'create table one (n bigint);');
    await assert.rejects(run(), MigrationRefused);
  });

  it('take a database in which a file ran before it was corrected, and run those after it', async () => {
    await run();
    const [applied] = await test.database.query<{ checksum: string }>({
      name: '',
      text: 'select checksum from migrations',
    });
    await add('0001_first.sql', 'create table one (n bigint);');
    await add('0002_second.sql', 'create table two (n integer);');
    const corrected = { '0001_first.sql': applied?.checksum };
    await run(corrected);
    await run(corrected);
    assert.deepEqual(await query('select n from two'), []);
    await query(`update migrations set checksum = reverse(checksum) where version = 1`);
    await assert.rejects(run(corrected), MigrationRefused);
  });
});
