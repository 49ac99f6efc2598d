import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import {
  openFar,
  openSecondServer,
  prepareSecondServer,
  type SecondServer,
} from '../../test/second-server.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../test/test-database.ts';
import { createTestMerchant } from '../../test/test-merchant.ts';
import type { Database, Queryable, Row, Statement } from '../postgres/database.ts';
import { CopyOfAnother, copyDirectory } from './copy-directory.ts';
import { ROWS_MAX } from './copy-statements.ts';
import { createDirectoryCopier } from './directory-copier.ts';
import { DIRECTORY_TABLES } from './directory-tables.ts';

const VARIABLE = 'FAR_DATABASE_URL';
const PERSON = '00000000-0000-4000-8000-0000000000a1';
const RESTRICT_VIOLATION = '23001';

let test: TestDatabase;
let second: SecondServer;
/** As the service works: its own role on both servers. */
let directory: Database;
let target: Database;
before(async () => {
  [test, second] = await Promise.all([createTestDatabase(), openSecondServer()]);
  await prepareSecondServer(second);
  directory = openTestPool(test.serviceUrl);
  target = openFar(second.serviceUrl);
});
after(async () => {
  await Promise.all([directory.close(), target.close()]);
  await Promise.all([test.drop(), second.close()]);
});

type Change = readonly [text: string, values: readonly unknown[]];
const run = (database: Database, text: string, values: readonly unknown[] = []) =>
  database.query<Record<string, unknown>>({ name: '', text }, values);
const deps = () => ({ directory, target, urlVariable: VARIABLE });
const copyAll = async () => {
  while ((await copyDirectory(deps())) === 'behind');
};
const newCopier = () =>
  createDirectoryCopier({
    ...deps(),
    monotonicMs: () => performance.now(),
    logger: { warn: () => undefined },
  });

const addPerson = (id: string, name: string) =>
  run(test.database, 'insert into directory.people (id, name, created_at) values ($1, $2, now())', [
    id,
    name,
  ]);

async function assertSame(): Promise<void> {
  for (const { name, columns } of DIRECTORY_TABLES) {
    const text = `select to_jsonb(r)::text as row from (select ${columns.join(', ')} from directory.${name}) r order by 1`;
    assert.deepEqual(await run(second.database, text), await run(test.database, text), name);
  }
}

describe('the copy of the directory on another server', () => {
  it('has the columns of the directory, of the same types', async () => {
    const text = `
      select a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
      from pg_attribute a
      where a.attrelid = $1::regclass and a.attname = any ($2::text[])
      order by 1`;
    for (const { name, columns, key } of DIRECTORY_TABLES) {
      assert.ok(key.every((column) => columns.includes(column)));
      const read = (database: Database) => run(database, text, [`directory.${name}`, columns]);
      const known = await read(test.database);
      assert.equal(known.length, columns.length, name);
      assert.deepEqual(await read(second.database), known, name);
    }
  });

  it('is logged with the key and the columns that are copied', async () => {
    const rows = await run(
      test.database,
      `select c.relname::text as name, encode(t.tgargs, 'escape') as arguments
       from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'log_change'`,
    );
    const logged = rows
      .map(({ name, arguments: text }) => `${String(name)}: ${String(text)}`)
      .toSorted();
    const known = DIRECTORY_TABLES.map(
      ({ name, key, columns }) => `${name}: ${key.join(' ')}\\000${columns.join(' ')}\\000`,
    );
    assert.deepEqual(logged, known.toSorted());
  });

  it('logs nothing while there is no copy', async () => {
    await addPerson(PERSON, 'Chanda');
    assert.deepEqual(await run(test.database, 'select from directory.changes'), []);
  });

  it('is filled with what is there, and then takes over each change', async () => {
    const merchant = await createTestMerchant(test.database);
    const key = await merchant.issueKey({});
    await copyAll();
    await assertSame();
    const people = await run(second.database, 'select name from people where id = $1', [PERSON]);
    assert.deepEqual(people, [{ name: 'Chanda' }]);

    const moved = randomUUID();
    await addPerson(moved, 'Bwalya');
    const { id: other } = await merchant.issueKey({ scopes: ['read'] });
    await run(test.database, 'update directory.api_keys set revoked_at = now() where id = $1', [
      key.id,
    ]);
    await run(test.database, 'update directory.people set removed_at = now() where id = $1', [
      PERSON,
    ]);
    const give = `
      insert into directory.merchant_roles (person_id, merchant_id, role, book_id, given_at)
      select $1, $2, role, book_id, now() from (values ('viewer', null), ('viewer', $3::uuid)) r (role, book_id)`;
    await run(test.database, give, [PERSON, merchant.id, merchant.books.live]);
    await copyAll();
    await assertSame();
    await run(test.database, 'delete from directory.merchant_roles where book_id is null');
    await run(
      test.database,
      `update directory.people set id = $2, name = 'Mutinta' where id = $1`,
      [moved, randomUUID()],
    );
    await run(test.database, 'delete from directory.api_keys where id = $1', [other]);
    await copyAll();
    await assertSame();
  });

  it('is not told of the last use of a key', async () => {
    await copyAll();
    const read = () => run(test.database, 'select max(number) as number from directory.changes');
    const before = await read();
    await run(test.database, 'update directory.api_keys set last_used_at = now()');
    await run(test.database, 'update directory.api_keys set name = name');
    assert.deepEqual(await read(), before);
  });

  it('is filled anew where the directory comes from a backup, though numbers have grown past it since', async () => {
    await copyAll();
    // The backup does not know of the last changes, and others have got their numbers since.
    await run(test.database, 'alter table directory.merchant_roles disable trigger log_change');
    await run(test.database, 'delete from directory.merchant_roles');
    await run(test.database, 'alter table directory.merchant_roles enable trigger log_change');
    await run(test.database, 'update directory.changes set token = gen_random_uuid()');
    await addPerson(randomUUID(), 'After the backup');
    await copyAll();
    await assertSame();
  });

  it('is filled in parts, so that no table is held in memory', async () => {
    const text = `
      insert into directory.people (id, name, created_at)
      select gen_random_uuid(), 'Person ' || n, now() from generate_series(1, 2500) n`;
    await run(test.database, text);
    await run(test.database, 'update directory.changes set token = gen_random_uuid()');
    const sizes: number[] = [];
    const counted = (tx: Queryable): Queryable => ({
      async query<R extends Row>(statement: Statement, values?: readonly unknown[]) {
        const rows = await tx.query<R>(statement, values);
        sizes.push(rows.length);
        return rows;
      },
    });
    const watched: Database = {
      ...directory,
      transaction: (work) => directory.transaction((tx) => work(counted(tx))),
    };
    assert.equal(await copyDirectory({ ...deps(), directory: watched }), 'current');
    assert.equal(Math.max(...sizes), ROWS_MAX);
    assert.ok(sizes.filter((size) => size === ROWS_MAX).length >= 2);
    await assertSame();
  });

  it('forgets what all copies have, and keeps the place of each', async () => {
    for (let n = 0; n < 5; n += 1) await addPerson(randomUUID(), `Person ${n}`);
    await copyAll();
    assert.equal((await run(test.database, 'select from directory.changes')).length, 1);
    // A copy that was never filled needs no log; one that lags behind does.
    await run(
      test.database,
      `insert into directory.copies (url_variable, number) values ('OLD', 0)`,
    );
    await addPerson(randomUUID(), 'Late');
    await copyAll();
    assert.equal((await run(test.database, 'select from directory.changes')).length, 2);
    await run(test.database, `update directory.changes set changed_at = now() - interval '2 days'`);
    await addPerson(randomUUID(), 'Later');
    await copyAll();
    assert.equal((await run(test.database, 'select from directory.changes')).length, 1);
    await run(test.database, `delete from directory.copies where url_variable = 'OLD'`);
    await assertSame();
  });

  it('takes over all changes in the order of their commits, by several processes at once', async (t) => {
    const copiers = [newCopier(), newCopier(), newCopier()];
    t.after(() => Promise.all(copiers.map((copier) => copier.stop())));
    for (const copier of copiers) copier.start();
    const ids = Array.from({ length: 8 }, () => randomUUID());
    for (const id of ids) await addPerson(id, '0');
    // Numbers are given at the commit, however long a transaction lasts and in whatever order they began.
    await Promise.all(
      ids.map(async (id) => {
        for (let n = 1; n <= 10; n += 1) {
          await test.database.transaction(async (tx) => {
            const set = { name: '', text: 'update directory.people set name = $2 where id = $1' };
            await tx.query(set, [id, String(n)]);
            await tx.query({ name: '', text: 'select pg_sleep(random() * 0.01)' });
          });
        }
      }),
    );
    const names = `select name from directory.people where id = any ($1) and name = '10'`;
    await pollUntil(
      'all changes',
      async () => (await run(second.database, names, [ids])).length === ids.length,
    );
    await Promise.all(copiers.map((copier) => copier.stop()));
    await assertSame();
  });

  it('is known to be behind when it cannot be written, and no longer when it can', async (t) => {
    const copier = newCopier();
    t.after(() => copier.stop());
    assert.equal(copier.behindMs(), Number.POSITIVE_INFINITY);
    copier.start();
    await pollUntil('the first round', async () => copier.behindMs() < 1_000);
    const role = new URL(second.serviceUrl).username;
    await run(second.database, `revoke insert on directory.people from ${role}`);
    await addPerson(randomUUID(), 'Unwritten');
    const before = copier.behindMs();
    await pollUntil('the copy to be behind', async () => copier.behindMs() > before + 700);
    await run(second.database, `grant insert on directory.people to ${role}`);
    await pollUntil('the copy to follow', async () => copier.behindMs() < 500);
    await copier.stop();
    await assertSame();
  });

  it('is left to processes of a newer release when one of them has filled it', async () => {
    await copyAll();
    const setLayout = (layout: string) =>
      second.database.transaction(async (tx) => {
        const allow = `select set_config('kafue.copies_directory', 'on', true)`;
        await tx.query({ name: '', text: allow });
        await tx.query({ name: '', text: `update directory.copy_position set layout = ${layout}` });
      });
    await setLayout('layout + 1');
    assert.equal(await copyDirectory(deps()), 'current');
    await addPerson(randomUUID(), 'Newer');
    assert.equal(await copyDirectory(deps()), 'left');
    // One of an older release is filled anew.
    await setLayout('0');
    assert.equal(await copyDirectory(deps()), 'current');
    await assertSame();
  });

  /** Does `first` up to its commit, lets `second` go as far as it can meanwhile, then goes on with `first`. */
  async function overtake(
    first: Readonly<{ begin: Change; goOn: () => Promise<unknown>; end: Change }>,
    second: () => Promise<unknown>,
  ): Promise<void> {
    let other: Promise<unknown> | undefined;
    await test.database.transaction(async (tx) => {
      const change = ([text, values]: Change) => tx.query({ name: '', text }, values);
      await change(first.begin);
      // What the commit would do first.
      await change(['set constraints all immediate', []]);
      let isDone = false;
      other = second().finally(() => {
        isDone = true;
      });
      other.catch(() => undefined);
      const waiting = `
        select from pg_locks where not granted and database = (
          select oid from pg_database where datname = current_database())`;
      await pollUntil('the second to wait or to end', async () => {
        return isDone || (await run(test.database, waiting)).length > 0;
      });
      await first.goOn();
      await change(first.end);
    });
    await other;
  }

  it('passes over no change that was numbered before another and commits after it', async () => {
    const insert = 'insert into directory.people (id, name, created_at) values ($1, $2, now())';
    const nothing: Change = ['select 1', []];
    const begin: Change = [insert, [randomUUID(), 'First']];
    await overtake({ begin, goOn: copyAll, end: nothing }, () => addPerson(randomUUID(), 'Second'));
    await copyAll();
    await assertSame();
  });

  it('lets no two changes wait for each other, whichever tables they begin with', async () => {
    const merchant = await createTestMerchant(test.database);
    const [one, two] = await Promise.all([merchant.issueKey({}), merchant.issueKey({})]);
    const expire = 'update directory.api_keys set expires_at = now() where id = $1';
    const rename = `update directory.people set name = name || '.' where id = $1`;
    await overtake(
      { begin: [rename, [PERSON]], goOn: async () => undefined, end: [expire, [one.id]] },
      () => run(test.database, expire, [two.id]),
    );
    await copyAll();
    await assertSame();
  });

  it('refuses other writers, also the role that keeps it', async () => {
    for (const database of [second.database, target]) {
      await assert.rejects(run(database, 'update people set name = name'), {
        code: RESTRICT_VIOLATION,
      });
    }
  });

  it('belongs to one installation', async () => {
    const other = await createTestDatabase();
    try {
      await run(other.database, 'update directory.installation set key = gen_random_uuid()');
      const taking = copyDirectory({ ...deps(), directory: other.database });
      await assert.rejects(taking, CopyOfAnother);
      await copyAll();
      await assertSame();
    } finally {
      await other.drop();
    }
  });
});
