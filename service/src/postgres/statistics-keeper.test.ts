import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createEmptyDatabase, type TestDatabase } from '../../test/test-database.ts';
import { openDatabase } from './database.ts';
import { refreshStatistics } from './statistics-keeper.ts';

describe('statistics', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createEmptyDatabase();
    // Autovacuum must not analyse it meanwhile.
    await query('create table grown (id integer primary key, filling text)');
    await query('alter table grown set (autovacuum_enabled = off)');
  });
  after(() => test.drop());

  const query = (text: string) => test.database.query({ name: '', text });
  const refresh = () => refreshStatistics(test.database, ['grown']);
  const insert = (from: number, to: number) =>
    query(`insert into grown select n, repeat('x', 200) from generate_series(${from}, ${to}) n`);

  it('are made anew when a table has grown, and then not again', async () => {
    assert.deepEqual(await refresh(), []);
    await insert(1, 100);
    assert.deepEqual(await refresh(), [], 'a small table');
    await insert(101, 500);
    assert.deepEqual(await refresh(), ['grown'], 'from 64 KiB on');
    assert.deepEqual(await refresh(), []);
    await insert(501, 10_000);
    assert.deepEqual(await refresh(), ['grown']);
    const [seen] = await test.database.query<{ bounds: number }>({
      name: '',
      text: `select cardinality(histogram_bounds::text::integer[]) as bounds from pg_stats
             where tablename = 'grown' and attname = 'id'`,
    });
    assert.equal(seen?.bounds, 21, 'a small sample is enough');
    await insert(10_001, 20_000);
    assert.deepEqual(await refresh(), [], 'grown, but not by much');
    await insert(20_001, 60_000);
    assert.deepEqual(await refresh(), ['grown']);
  });

  it('replace the plan that was made while a table was empty', async () => {
    await query('create table lookups (id integer primary key, other integer, filling text)');
    await query('alter table lookups set (autovacuum_enabled = off)');
    const session = openDatabase({
      connectionString: test.connectionString,
      applicationName: 'one session',
      connectionsMax: 1,
      keepPlans: true,
      onError: () => undefined,
    });
    const run = (text: string) => session.query<{ 'QUERY PLAN': string }>({ name: '', text });
    const readPlan = async () => {
      const rows = await run(`explain execute look (array[1, 2, 3])`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    await run(
      `prepare look (integer[]) as
         select l.* from unnest($1) as k (id) join lookups l on l.id = k.id`,
    );
    await run(`insert into lookups select n, n, '' from generate_series(1, 3) n`);
    await readPlan();
    await run(`insert into lookups select n, n, repeat('x', 200) from generate_series(4, 20000) n`);
    assert.match(await readPlan(), /Seq Scan/);
    assert.deepEqual(await refreshStatistics(session, ['lookups']), ['lookups']);
    assert.match(await readPlan(), /Index Scan/);
    await session.close();
  });
});
