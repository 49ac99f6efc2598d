import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { runCommand } from '../../test/admin-command.ts';
import { openSecondServer, type SecondServer } from '../../test/second-server.ts';
import {
  createDatabaseOfOneCell,
  openTestPool,
  type TestDatabase,
} from '../../test/test-database.ts';

type Env = Readonly<Record<string, string>>;
type CellJson = Readonly<Record<string, unknown>>;

let test: TestDatabase;
let second: SecondServer;
let env: Env;
before(async () => {
  [test, second] = await Promise.all([createDatabaseOfOneCell(), openSecondServer()]);
  env = {
    DATABASE_URL: test.connectionString,
    NORTH_DATABASE_URL: second.serviceUrl,
    MIGRATION_NORTH_DATABASE_URL: second.connectionString,
    NOWHERE_DATABASE_URL: 'postgres://kafue:hidden-word@127.0.0.1:1/nothing',
    WRONG_DATABASE_URL: 'mysql://kafue:hidden-word@127.0.0.1/nothing',
    HERE_DATABASE_URL: test.connectionString,
  };
});
after(() => Promise.all([test.drop(), second.close()]));

const ask = (text: string, values: readonly unknown[] = []) =>
  test.database.query<Record<string, unknown>>({ name: '', text }, values);
const there = (text: string) => second.database.query<Record<string, unknown>>({ name: '', text });

async function run(...argv: readonly string[]) {
  const { exitCode, out, error } = await runCommand(test, env, argv);
  assert.ok(!`${out}${error}`.includes('hidden-word'), 'a password was shown');
  return { exitCode, out, error };
}

async function runJson(...argv: readonly string[]) {
  const { exitCode, out } = await run(...argv, '--json');
  return { exitCode, json: JSON.parse(out) as Record<string, Record<string, unknown>> };
}

async function check(name: string): Promise<CellJson> {
  const { json } = await runJson('cells', 'check', name);
  const [cell] = json.cells as unknown as readonly CellJson[];
  return cell ?? assert.fail('no cell');
}

const schemasOf = async (read: typeof there) =>
  (
    await read(`select nspname::text as name from pg_namespace where nspname !~ '^pg_' order by 1`)
  ).map(({ name }) => name);

describe('the commands on cells', () => {
  it('list the first cell, which every service has', async () => {
    const { out } = await run('cells', 'list');
    assert.match(
      out,
      /^cell +server +schema +standing +since +merchants\nmain +DATABASE_URL +public +open/,
    );
    const main = await check('main');
    assert.equal(main.well, true);
    assert.equal(
      main.place,
      `${new URL(test.connectionString).pathname.slice(1)} at ${new URL(test.connectionString).host}`,
    );
    assert.deepEqual(
      [main.merchants, main.books, main.durable, main.directoryBehindMs],
      [0, 0, true, null],
    );
  });

  it('add a cell on the same server, with the rights of the roles of the first', async () => {
    const { exitCode, out } = await run('cells', 'add', 'east');
    assert.equal(exitCode, 0);
    assert.match(out, /^Added the cell east\. Every process knows of it within seconds\.\n$/);
    const east = await check('east');
    const main = await check('main');
    assert.deepEqual([east.well, east.schema, east.version], [true, 'cell_east', main.version]);
    assert.ok(Number(east.bytes) > 0);
    const service = openTestPool(test.serviceUrl);
    try {
      await service.query({ name: '', text: 'select from cell_east.transfers' });
      await assert.rejects(service.query({ name: '', text: 'delete from cell_east.postings' }), {
        code: '42501',
      });
    } finally {
      await service.close();
    }
  });

  it('can be repeated when adding was cut off before the cell was listed', async () => {
    await ask(`delete from directory.cells where name = 'east'`);
    assert.equal((await run('cells', 'add', 'east')).exitCode, 0);
    assert.equal((await check('east')).well, true);
  });

  it('close and open a cell once', async () => {
    assert.equal((await run('cells', 'close', 'east')).exitCode, 0);
    assert.match((await run('cells', 'list')).out, /east .* closed/);
    const again = await runJson('cells', 'close', 'east');
    assert.deepEqual([again.exitCode, again.json.error?.code], [1, 'CELL_IS_CLOSED']);
    assert.equal((await check('east')).standing, 'closed');
    assert.equal((await run('cells', 'open', 'east')).exitCode, 0);
    const open = await runJson('cells', 'open', 'east');
    assert.deepEqual([open.exitCode, open.json.error?.code], [1, 'CELL_IS_OPEN']);
  });

  it('are recorded in the directory', async () => {
    const rows = await ask(
      'select kind, subject, actor_kind from directory.acts order by acted_at, kind',
    );
    assert.deepEqual(
      rows.map(({ kind, subject }) => `${String(kind)} ${String(subject)}`),
      ['CELL_ADDED east', 'CELL_ADDED east', 'CELL_CLOSED east', 'CELL_OPENED east'],
    );
  });

  const refused: readonly (readonly [
    what: string,
    code: string,
    name: string,
    variable?: string,
  ])[] = [
    ['a name that is taken', 'CELL_EXISTS', 'east'],
    ['a name that is none', 'CELL_NAME_INVALID', 'East Side'],
    [
      'an address instead of a variable',
      'CELL_VARIABLE_INVALID',
      'far',
      'postgres://kafue:hidden-word@h/d',
    ],
    ['a variable that is not set', 'CELL_URL_MISSING', 'far', 'FAR_DATABASE_URL'],
    ['an address that is none', 'CELL_URL_INVALID', 'far', 'WRONG_DATABASE_URL'],
    ['a server that cannot be reached', 'CELL_UNREACHABLE', 'far', 'NOWHERE_DATABASE_URL'],
    [
      'the database of the directory as another server',
      'CELL_SERVER_TAKEN',
      'far',
      'HERE_DATABASE_URL',
    ],
    ['a schema of another program', 'CELL_SCHEMA_FOREIGN', 'foreign'],
    ['a cell that the directory does not list, with merchants', 'CELL_HAS_MERCHANTS', 'lost'],
  ];
  for (const [what, code, name, variable] of refused) {
    it(`refuse ${what}, and change nothing`, async () => {
      if (name === 'foreign')
        await ask('create schema cell_foreign create table migrations (n integer)');
      if (name === 'lost') {
        await run('cells', 'add', 'lost');
        await ask(`delete from directory.cells where name = 'lost'`);
        await ask(
          `insert into cell_lost.merchants (id, name, created_at) values (gen_random_uuid(), 'Lost', now())`,
        );
      }
      const state = async () => [
        await ask('select * from directory.cells order by name'),
        await ask('select count(*) from directory.acts'),
        await schemasOf(ask),
        await schemasOf(there),
      ];
      const before = await state();
      const option = variable === undefined ? [] : ['--database-url-env', variable];
      const { exitCode, json } = await runJson('cells', 'add', name, ...option);
      assert.deepEqual([exitCode, json.error?.code], [1, code]);
      assert.match(String(json.error?.message), /Nothing was changed\./);
      assert.deepEqual(await state(), before);
    });
  }

  it('refuse an unknown cell, and name those that there are', async () => {
    for (const verb of ['check', 'close', 'open']) {
      const { exitCode, error } = await run('cells', verb, 'west');
      assert.equal(exitCode, 1);
      assert.match(error, /There is no cell with this name\..*\nChoose from east, main\./);
    }
  });
});

describe('a cell on another server', () => {
  it('is refused where the schema of the directory belongs to another program', async () => {
    await there('create schema directory create table notes (n integer)');
    const { json } = await runJson(
      'cells',
      'add',
      'north',
      '--database-url-env',
      'NORTH_DATABASE_URL',
    );
    assert.equal(json.error?.code, 'CELL_SCHEMA_FOREIGN');
    await there('drop schema directory cascade');
  });

  it('is made there with a copy of the directory, for the role of its address', async () => {
    await ask(
      `insert into directory.people (id, name, created_at) values (gen_random_uuid(), 'Chanda', now())`,
    );
    const added = await run('cells', 'add', 'north', '--database-url-env', 'NORTH_DATABASE_URL');
    assert.equal(added.exitCode, 0, added.error);
    assert.match(added.out, /on the server in NORTH_DATABASE_URL.*each needs NORTH_DATABASE_URL/);
    assert.deepEqual(await there('select name from directory.people'), [{ name: 'Chanda' }]);
    assert.deepEqual(await schemasOf(there), [
      'cell_north',
      'directory',
      'information_schema',
      'public',
    ]);
    const service = openTestPool(second.serviceUrl);
    try {
      await service.query({ name: '', text: 'select from cell_north.transfers, directory.people' });
    } finally {
      await service.close();
    }
  });

  it('can be added again when that was cut off before it was listed', async () => {
    await ask(`delete from directory.cells where name = 'north'`);
    await there(`drop schema cell_north cascade`);
    const added = await run('cells', 'add', 'north', '--database-url-env', 'NORTH_DATABASE_URL');
    assert.equal(added.exitCode, 0, added.error);
  });

  it('is told with its server, and how far its copy of the directory is behind', async () => {
    const north = await check('north');
    const { host, pathname } = new URL(second.connectionString);
    assert.equal(north.place, `${pathname.slice(1)} at ${host}`);
    assert.deepEqual(
      [north.well, north.directoryBehindMs, north.server],
      [true, 0, 'NORTH_DATABASE_URL'],
    );
    await ask(
      `insert into directory.people (id, name, created_at) values (gen_random_uuid(), 'Mutinta', now())`,
    );
    await ask(`update directory.changes set changed_at = now() - interval '1 h'`);
    const { exitCode, out } = await run('cells', 'check', 'north');
    assert.equal(exitCode, 1);
    assert.match(out, /^north: ✗ not well\n[^]* directory +the copy is 36\d{5} ms behind/);
    assert.ok(Number((await check('north')).directoryBehindMs) >= 3_600_000);
  });

  it('is migrated with the database, and named where it cannot be', async () => {
    await there('drop schema cell_north cascade');
    const { exitCode, out } = await run('database', 'migrate');
    assert.equal(exitCode, 0);
    assert.match(out, /^The database is at version \d+\.\n$/);
    assert.equal((await check('north')).version, (await check('main')).version);
    const of = (checksum: string) =>
      there(`update cell_north.migrations set checksum = ${checksum} where version = 1`);
    await of(`reverse(checksum)`);
    const refused = await run('database', 'migrate');
    assert.equal(refused.exitCode, 1);
    assert.match(
      refused.out,
      /✗ The cells north on the server in NORTH_DATABASE_URL .*: Migration 1/,
    );
    await of(`reverse(checksum)`);
  });

  it('is told not to answer when its server is not known or cannot be reached, beside those that do', async () => {
    for (const [variable, problem] of [
      ['FAR_DATABASE_URL', /FAR_DATABASE_URL is not set.*Set it to an address/],
      [
        'NOWHERE_DATABASE_URL',
        /nothing at 127\.0\.0\.1:1 cannot be used.*correct NOWHERE_DATABASE_URL/,
      ],
    ] as const) {
      await ask(`update directory.cells set url_variable = $1 where name = 'north'`, [variable]);
      const { exitCode, out } = await run('cells', 'check');
      assert.equal(exitCode, 1);
      assert.match(out, problem);
      assert.match(out, /^main: well$/m);
      const north = await check('north');
      assert.deepEqual([north.well, north.answers, north.merchants], [false, false, null]);
    }
    await ask(
      `update directory.cells set url_variable = 'NORTH_DATABASE_URL' where name = 'north'`,
    );
  });

  it('is not durable where the server could lose what it confirmed', async () => {
    const { pathname } = new URL(second.connectionString);
    await there(`alter database ${pathname.slice(1)} set synchronous_commit = off`);
    const { exitCode, out } = await run('cells', 'check', 'north');
    assert.equal(exitCode, 1);
    assert.match(out, /synchronous_commit is off \(to mend it: alter database/);
    await there(`alter database ${pathname.slice(1)} reset synchronous_commit`);
  });

  it('is refused to a second installation', async () => {
    const other = await createDatabaseOfOneCell();
    try {
      const text = 'update directory.installation set key = gen_random_uuid()';
      await other.database.query({ name: '', text });
      const argv = ['cells', 'add', 'south', '--database-url-env', 'NORTH_DATABASE_URL', '--json'];
      const { exitCode, out } = await runCommand(other, env, argv);
      assert.equal(exitCode, 1);
      assert.match(out, /"CELL_SERVER_TAKEN"[^]*cells of another installation/);
    } finally {
      await other.drop();
    }
  });
});
