import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { type Cells, refuseCell } from '../src/cells/cell.ts';
import { type Database, openDatabase } from '../src/postgres/database.ts';
import { prepareDatabase } from '../src/schema/prepare-database.ts';
import { DIRECTORY, MAIN_CELL, searchPathOf } from '../src/schema/service-schema.ts';
import { makeCell } from './make-cell.ts';

const TEMPLATE = 'kafue_template';
const TEMPLATE_OF_ONE_CELL = 'kafue_template_of_one_cell';
/** Files that start at the same time take turns to create the template. */
const TEMPLATE_LOCK = 4_711;
const CONNECTIONS_MAX = 10;
const INSUFFICIENT_PRIVILEGE = '42501';
const DROP_TRIES_MAX = 300;
const DROP_RETRY_MS = 100;

/** The cells that every test database has beside the main one: none, unless KAFUE_TEST_CELLS says how many in all. */
const OTHER_CELLS = Array.from(
  { length: Number(process.env['KAFUE_TEST_CELLS'] ?? 1) - 1 },
  (_, index) => ({ name: `test_${index + 2}`, schema: `cell_test_${index + 2}` }),
);
/** Where the tests' merchants are: the last cell. */
export const TEST_CELL = OTHER_CELLS.at(-1) ?? MAIN_CELL;

export type TestDatabase = Readonly<{
  /** As the owner of the tables. */
  connectionString: string;
  /** As the role that the service works with. */
  serviceUrl: string;
  /** Of the cell in which the tests' merchants are: the main one, unless there are several. */
  database: Database;
  /** Of the directory alone. */
  directory: Database;
  /** That cell alone. */
  cells: Cells;
  drop(): Promise<void>;
}>;

/** The test file's own database, cloned from a migrated template in about 50 ms. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(async (admin, server, name) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(admin, server, { template: TEMPLATE, otherCells: OTHER_CELLS });
    await admin.query(copyOf(TEMPLATE, name));
  });
}

/** With the main cell alone, however many others have: for tests that make their own cells. */
export function createDatabaseOfOneCell(): Promise<TestDatabase> {
  return create(async (admin, server, name) => {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(admin, server, { template: TEMPLATE_OF_ONE_CELL, otherCells: [] });
    await admin.query(copyOf(TEMPLATE_OF_ONE_CELL, name));
  }, MAIN_CELL);
}

/** An empty database, for tests of the migrations themselves: it will have the main cell alone. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create(async (admin, _, name) => {
    await admin.query(`create database ${name}`);
  }, MAIN_CELL);
}

/** A copy of the database as it is now. Connections to it are ended first; pools open new ones. */
export function copyTestDatabase({ connectionString }: TestDatabase): Promise<TestDatabase> {
  const original = new URL(connectionString).pathname.slice(1);
  return create(async (admin, _, name) => {
    const end = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
    await admin.query(end, [original]);
    await admin.query(copyOf(original, name));
  });
}

/** By files: to write a database of 11 MB to the log as well takes four times the work. */
function copyOf(original: string, name: string): string {
  return `create database ${name} template ${original} strategy file_copy`;
}

async function create(
  make: (admin: Client, server: string, name: string) => Promise<void>,
  cell = TEST_CELL,
): Promise<TestDatabase> {
  const server = serverUrl();
  const name = `kafue_${randomBytes(6).toString('hex')}`;
  await withAdmin(server, async (admin) => {
    await make(admin, server, name);
    // A copy has the tables of its original, and not this setting.
    await admin.query(`alter database ${name} set search_path = ${searchPathOf(cell).join(', ')}`);
  });
  const connectionString = databaseUrl(server, name);
  const database = openTestPool(connectionString, searchPathOf(cell));
  const directory = openTestPool(connectionString, [DIRECTORY.schema]);
  return {
    connectionString,
    serviceUrl: databaseUrl(serverUrl('KAFUE_TEST_POSTGRES_SERVICE'), name),
    database,
    directory,
    cells: cellsOf({ [cell.name]: database }),
    async drop() {
      await Promise.all([database.close(), directory.close()]);
      await withAdmin(server, (admin) => dropDatabase(admin, name));
    },
  };
}

/** We may not end an autovacuum worker, so a drop that meets one waits until it has finished. */
async function dropDatabase(admin: Client, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await admin.query(`drop database ${name} with (force)`);
      return;
    } catch (error) {
      const mayNotEnd = error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
      if (!mayNotEnd || tries === DROP_TRIES_MAX) throw error;
      await wait(DROP_RETRY_MS);
    }
  }
}

async function ensureTemplate(
  admin: Client,
  server: string,
  { template, otherCells }: Readonly<{ template: string; otherCells: typeof OTHER_CELLS }>,
): Promise<void> {
  const found = await admin.query('select 1 from pg_database where datname = $1', [template]);
  if (found.rowCount === 1) return;
  await admin.query(`create database ${template}`);
  const database = openTestPool(databaseUrl(server, template), searchPathOf(MAIN_CELL));
  try {
    const role = new URL(serverUrl('KAFUE_TEST_POSTGRES_SERVICE')).username;
    await prepareDatabase(database, { role, say: () => undefined });
    for (const cell of otherCells) await makeCell(database, cell, role);
  } finally {
    await database.close();
  }
}

/** Cells of one server by name, for tests that need no process of the service. */
export function cellsOf(databases: Readonly<Record<string, Database>>): Cells {
  const all = Object.entries(databases).map(([name, database]) => ({ name, database }));
  return {
    list: () => all,
    named(name) {
      const found = all.find((cell) => cell.name === name);
      if (found === undefined) throw refuseCell();
      return found;
    },
  };
}

/** A pool with these rights; who opens it closes it. */
export function openTestPool(
  connectionString: string,
  searchPath: readonly string[] = searchPathOf(TEST_CELL),
): Database {
  return openDatabase({
    connectionString,
    applicationName: 'kafue-test',
    connectionsMax: CONNECTIONS_MAX,
    searchPath,
    onError: () => undefined,
  });
}

async function withAdmin<T>(server: string, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = new Client({ connectionString: server });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function serverUrl(variable = 'KAFUE_TEST_POSTGRES'): string {
  const url = process.env[variable];
  if (url === undefined) {
    throw new Error('Run the tests with npm test: it starts the PostgreSQL server they need.');
  }
  return url;
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
