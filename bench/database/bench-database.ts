import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createAdmission } from '../../service/src/postgres/admit-connections.ts';
import { type Database, openDatabase } from '../../service/src/postgres/database.ts';
import { openEmbeddedPostgres } from '../../service/src/postgres/embedded/open-embedded-postgres.ts';
import { removeEmbeddedPostgres } from '../../service/src/postgres/embedded/remove-embedded-postgres.ts';
import { prepareDatabase } from '../../service/src/schema/prepare-database.ts';
import { MAIN_CELL, searchPathOf } from '../../service/src/schema/service-schema.ts';
import { cpuUsOfChildren, parentOf } from '../sides/read-process.ts';

const TEMPLATE = 'bench_template';
const PATH = searchPathOf(MAIN_CELL);
const CONNECTIONS_MAX = 8;
/** Verifying the ledger of a long run takes long. */
const DEADLINE_MS = 300_000;

export type BenchServer = Readonly<{
  version: string;
  /** A temporary folder, removed with the server. */
  folder: string;
  /** The CPU time of all server processes of PostgreSQL so far, if the system reports it. */
  cpuUs(): number | undefined;
  /** Fills the template, from which every database is cloned. */
  prepare<T>(fill: (database: Database) => Promise<T>): Promise<T>;
  /** A copy of the template; resolves with its URL. It is removed with the server. */
  clone(name: string): Promise<string>;
  /** An empty database; resolves with its URL. It is removed with the server. */
  create(name: string): Promise<string>;
  /** The same database in the role that the service works with. */
  serviceUrlOf(url: string): string;
  drop(name: string): Promise<void>;
  close(): Promise<void>;
}>;

/** A temporary PostgreSQL with the settings that the service gives its own. */
export async function openBenchServer(
  deps: Readonly<{ say: (line: string) => void }>,
): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kafue-bench-'));
  const remove = async () => {
    await removeEmbeddedPostgres({ dataDir });
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const options = { dataDir, role: 'admin', description: 'kafue bench' } as const;
    const server = await openEmbeddedPostgres(deps, options);
    const admin = new Client({ connectionString: server.connectionString });
    // After Ctrl-C the server may end before this connection does.
    admin.on('error', () => undefined);
    await admin.connect();
    const about = await admin.query<{ version: string; pid: number }>(ABOUT);
    const postmaster = parentOf(about.rows[0]?.pid ?? 0);
    const urlOf = (name: string) => withDatabase(server.connectionString, name);
    return {
      version: about.rows[0]?.version ?? 'unknown',
      folder: dataDir,
      cpuUs: () => (postmaster === undefined ? undefined : cpuUsOfChildren(postmaster)),
      prepare: (fill) => prepareTemplate(admin, urlOf(TEMPLATE), fill),
      async clone(name) {
        await admin.query(`create database ${name} template ${TEMPLATE}`);
        await admin.query(`alter database ${name} set search_path = ${PATH.join(', ')}`);
        return urlOf(name);
      },
      async create(name) {
        await admin.query(`create database ${name}`);
        return urlOf(name);
      },
      serviceUrlOf: (url) =>
        withDatabase(server.serviceConnectionString ?? '', new URL(url).pathname.slice(1)),
      async drop(name) {
        await admin.query(`drop database ${name} with (force)`);
      },
      async close() {
        await admin.end().catch(() => undefined);
        // Ctrl-C reaches the server too, and then there is nothing left to close, only to remove.
        await server.close().catch(() => undefined);
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const ABOUT = `select current_setting('server_version') as version, pg_backend_pid() as pid`;

async function prepareTemplate<T>(
  admin: Client,
  url: string,
  fill: (database: Database) => Promise<T>,
): Promise<T> {
  await admin.query(`create database ${TEMPLATE}`);
  // Nothing is promised to a client yet, so a thousand merchants need not be flushed one by one.
  await admin.query(`alter database ${TEMPLATE} set synchronous_commit = off`);
  return withBenchDatabase(url, async (database) => {
    await prepareDatabase(database, { role: undefined, say: () => undefined });
    return fill(database);
  });
}

export async function withBenchDatabase<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  searchPath: readonly string[] = PATH,
): Promise<T> {
  const database = openDatabase({
    connectionString: url,
    applicationName: 'kafue bench',
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs: DEADLINE_MS,
    searchPath,
    // The template is filled without flushing.
    admission: createAdmission({ allowUnsafe: true }),
    onError: () => undefined,
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function withDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
