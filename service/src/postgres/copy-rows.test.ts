import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { copyRows } from './copy-rows.ts';
import { sqlState } from './database.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
  await ask('create table numbers (number integer primary key, text text)');
});
after(() => test.drop());

const ask = <R extends Record<string, unknown>>(text: string, values: readonly unknown[] = []) =>
  test.database.query<R>({ name: '', text }, values);

/** More than the buffers of both connections hold. */
const MANY = `copy (select n, repeat('x', 1000) from generate_series(1, 100000) n) to stdout`;
const INTO = 'copy numbers (number, text) from stdin';

/** Rejects if it takes longer than any of these copies may. */
async function copy(from: string, into = INTO): Promise<void> {
  const late = AbortSignal.timeout(10_000);
  await Promise.race([
    test.database.longTransaction((source) =>
      test.database.longTransaction((target) =>
        copyRows({ client: source.client, text: from }, { client: target.client, text: into }),
      ),
    ),
    new Promise((_, reject) => {
      late.addEventListener('abort', () => reject(new Error('the copy hangs')));
    }),
  ]);
}

const fails = (code: string) => (error: unknown) => {
  assert.equal(sqlState(error), code, String(error));
  return true;
};

/** By what the server said last, or by the broken connection where a write met that first. */
const isLost = (error: unknown) => {
  assert.match(String(sqlState(error) ?? error), /57P01|ECONNRESET|EPIPE|terminated/);
  return true;
};

/** Waits until such a COPY is under way. */
async function findCopy(like: string): Promise<number> {
  let pid = 0;
  await pollUntil('the copy to be under way', async () => {
    const rows = await ask<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and state = 'active' and query like $1 and pid <> pg_backend_pid()`,
      [like],
    );
    pid = rows[0]?.pid ?? 0;
    return pid !== 0;
  });
  return pid;
}

async function endWhenUnderWay(like: string): Promise<void> {
  await ask('select pg_terminate_backend($1)', [await findCopy(like)]);
}

/** No statement goes on, and all connections of the pool can be used. */
async function nothingIsLeft(): Promise<void> {
  await pollUntil('the copies to end', async () => {
    const left = await ask(
      `select 1 from pg_stat_activity
       where datname = current_database() and (query like 'copy %' or state like 'idle in transaction%')
         and state <> 'idle' and pid <> pg_backend_pid()`,
    );
    return left.length === 0;
  });
  await Promise.all(Array.from({ length: 10 }, () => ask('select pg_sleep(0.05)')));
  assert.deepEqual(await ask('select 1 from numbers limit 1'), []);
}

/** Has another transaction insert the first of these numbers, so that the target waits for its end. */
async function whileTargetWaits(work: () => Promise<unknown>): Promise<void> {
  const rollback = new Error('rolled back');
  const held = test.database.transaction(async (tx) => {
    await tx.query({ name: '', text: 'insert into numbers (number) values (1)' });
    await work();
    throw rollback;
  });
  await assert.rejects(held, rollback);
}

describe('copying rows from one connection to another', () => {
  it('ends with the error of a source that refuses', async () => {
    await assert.rejects(copy('copy no_such_table to stdout'), fails('42P01'));
    await assert.rejects(copy(`copy (select 1 / 0, '') to stdout`), fails('22012'));
    const late = `copy (select n / (n - 50000), repeat('x', 1000) from generate_series(1, 60000) n) to stdout`;
    await ask('create table quotients (number integer, text text)');
    const into = 'copy quotients (number, text) from stdin';
    await assert.rejects(copy(late, into), fails('22012'));
    await nothingIsLeft();
  });

  it('ends with the error of a target that refuses, also while the source has much more', async () => {
    await assert.rejects(copy(MANY, 'copy no_such_table from stdin'), fails('42P01'));
    await assert.rejects(
      copy(`copy (select 1, '' from generate_series(1, 2)) to stdout`),
      fails('23505'),
    );
    const endless = `copy (select 'one', '' from (select generate_series(1, 100000000000)) s) to stdout`;
    await assert.rejects(copy(endless), fails('22P02'));
    await nothingIsLeft();
  });

  it('ends when the target waits for a lock in vain, and the source for the target', async () => {
    await whileTargetWaits(() => assert.rejects(copy(MANY), fails('55P03')));
    await nothingIsLeft();
  });

  it('ends when the source or the target is lost', async () => {
    const slow = `copy (select n, repeat('x', 1000) || pg_sleep(0.01) from generate_series(1, 10000) n) to stdout`;
    for (const lost of ['copy (%', 'copy numbers%']) {
      await Promise.all([assert.rejects(copy(slow), isLost), endWhenUnderWay(lost)]);
      await nothingIsLeft();
    }
  });

  it('ends when the target is lost that the source waits for', async () => {
    await whileTargetWaits(() =>
      Promise.all([assert.rejects(copy(MANY), isLost), endWhenUnderWay('copy numbers%')]),
    );
    await nothingIsLeft();
  });

  it('copies all rows after all that', async () => {
    await copy(MANY);
    assert.deepEqual(await ask('select count(*)::integer as count from numbers'), [
      { count: 100_000 },
    ]);
  });
});
