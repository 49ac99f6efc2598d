import { resolve } from 'node:path';
import { type Cell, type Cells, refuseCell, unreachableCell } from '../cells/cell.ts';
import { type KnownCell, listCells } from '../cells/list-cells.ts';
import { createAdmission } from '../postgres/admit-connections.ts';
import { findTlsProblem } from '../postgres/connection-tls.ts';
import { type Database, DatabaseUnreachable, openDatabase } from '../postgres/database.ts';
import { openEmbeddedPostgres } from '../postgres/embedded/open-embedded-postgres.ts';
import { MigrationRefused } from '../postgres/migration-refused.ts';
import { UnsafeDatabase } from '../postgres/prepare-session.ts';
import { prepareDatabase } from '../schema/prepare-database.ts';
import { DIRECTORY, MAIN_CELL, searchPathOf } from '../schema/service-schema.ts';
import { CommandRefused } from './command-refused.ts';
import { explainMigration } from './explain-migration.ts';

const CONNECTIONS_MAX = 2;
/** Verifying a large ledger is one transaction, and may take hours. */
const DEADLINE_MS = 12 * 3_600_000;
const DATA_DIR_DEFAULT = 'data';
const DATABASE_URL = /^postgres(?:ql)?:\/\//;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment is wrong, and trying again will not help. */
export class BadEnvironment extends Error {
  readonly advice: string;

  constructor(message: string, advice: string) {
    super(message);
    this.name = 'BadEnvironment';
    this.advice = advice;
  }
}

export type AdminDatabase = Readonly<{
  directory: Database;
  /** All that the directory lists. One that cannot be reached is among them. */
  cells: Cells;
  close(): Promise<void>;
  /** Lets go without waiting for what is under way, which is rolled back. */
  abandon(): Promise<void>;
}>;

/** Opens the database of the service, starting the embedded one where it does not run. */
export async function openAdminDatabase(
  deps: Readonly<{ say: (line: string) => void }>,
  env: Environment,
): Promise<AdminDatabase> {
  const place = readPlace(env);
  const embedded =
    'databaseUrl' in place
      ? undefined
      : await openEmbeddedPostgres(deps, {
          dataDir: place.dataDir,
          role: 'admin',
          description: `administration, pid ${process.pid}`,
        });
  const home = 'databaseUrl' in place ? place.databaseUrl : (embedded?.connectionString ?? '');
  const opened: Database[] = [];
  const open: Open = (connectionString, searchPath) => {
    const database = openDatabase({
      connectionString,
      applicationName: `kafue admin ${process.pid}`,
      connectionsMax: CONNECTIONS_MAX,
      deadlineMs: DEADLINE_MS,
      searchPath,
      admission: createAdmission({ allowUnsafe: env.ALLOW_UNSAFE_DATABASE === '1' }),
      onError: () => undefined,
    });
    opened.push(database);
    return database;
  };
  const main = open(home, searchPathOf(MAIN_CELL));
  const directory = open(home, [DIRECTORY.schema]);
  const abandon = async (): Promise<void> => embedded?.close();
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((database) => database.close()));
    await abandon();
  };
  try {
    await prepareDatabase(main, { role: undefined, say: deps.say });
    const cells = openCells({ open, home, main, env }, await listCells(directory));
    return { directory, cells, close, abandon };
  } catch (error) {
    await close();
    throw explain(error);
  }
}

type Open = (connectionString: string, searchPath: readonly string[]) => Database;
type Opening = Readonly<{ open: Open; home: string; main: Database; env: Environment }>;

/** A handle for each; nothing connects before it is used. */
function openCells({ open, home, main, env }: Opening, known: readonly KnownCell[]): Cells {
  const cells = known.map(({ name, schema, urlVariable }): Cell => {
    if (name === MAIN_CELL.name) return { name, database: main };
    const url = urlVariable === null ? home : readOwnerUrl(env, urlVariable);
    if (url === '') return unreachableCell(name);
    return { name, database: open(url, searchPathOf({ schema })) };
  });
  return {
    list: () => cells,
    named(name) {
      const found = cells.find((cell) => cell.name === name);
      if (found === undefined) throw refuseCell();
      return found;
    },
  };
}

/** As with DATABASE_URL, the owner's address may be in another variable. */
function readOwnerUrl(env: Environment, variable: string): string {
  return env[`MIGRATION_${variable}`] || (env[variable] ?? '');
}

// A variable that is set to nothing counts as not set, as it does for the service.
function readPlace(env: Environment): { databaseUrl: string } | { dataDir: string } {
  const name = env.MIGRATION_DATABASE_URL ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL';
  const databaseUrl = env[name] ?? '';
  if (databaseUrl === '') return { dataDir: resolve(env.DATA_DIR || DATA_DIR_DEFAULT) };
  if (DATABASE_URL.test(databaseUrl) && URL.canParse(databaseUrl)) {
    const problem = findTlsProblem(databaseUrl);
    if (problem !== undefined) throw new BadEnvironment(`${name} is not valid.`, problem);
    return { databaseUrl };
  }
  // Never repeated here: it holds a password.
  throw new BadEnvironment(
    `${name} is not valid.`,
    'Make it look like postgres://user:password@host:5432/database, or unset it for the embedded one.',
  );
}

function explain(error: unknown): unknown {
  if (error instanceof MigrationRefused) {
    return new CommandRefused(explainMigration(error), 'Nothing was changed.');
  }
  if (!(error instanceof DatabaseUnreachable)) return error;
  if (error.cause instanceof UnsafeDatabase) {
    return new BadEnvironment(
      error.cause.message,
      'Mend it, or set ALLOW_UNSAFE_DATABASE=1 where losing payouts does not matter.',
    );
  }
  const cause =
    error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : 'no answer';
  return new CommandRefused(
    `The database cannot be reached: ${cause}.`,
    'Start it, or correct DATABASE_URL; without DATABASE_URL the embedded one is used.',
  );
}
