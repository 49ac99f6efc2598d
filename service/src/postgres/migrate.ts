import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Queryable, Statement } from './database.ts';
import { sqlState } from './database.ts';

/** Serialises processes that start at the same time. The number is arbitrary but must never change. */
export const MIGRATION_LOCK = 7_246_310_577;
const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;
const POSTGRES_VERSION_MIN = 150_000;
const INSUFFICIENT_PRIVILEGE = '42501';

type Migration = Readonly<{ version: number; name: string; text: string; checksum: string }>;

/** The database cannot be used in its present state; the message says what to do. */
export class MigrationRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MigrationRefused';
  }
}

/**
 * Migrates the database to the newest version, forward only: a ledger cannot be undone. One transaction, so that a
 * start that is killed halfway leaves the database as it was. A database that is at the newest version is only read, so
 * a role that may not change it can start the service.
 */
export async function migrate(
  database: Database,
  options: Readonly<{ directory: string; say: (line: string) => void }>,
): Promise<void> {
  const migrations = await readMigrations(options.directory);
  await refuseOldServer(database);
  if (await isCurrent(database, migrations)) return;
  try {
    await database.transaction(async (tx) => {
      await tx.query(LOCK, [MIGRATION_LOCK]);
      // Rewriting a large table takes longer than any other statement may.
      await tx.query(NO_TIMEOUT);
      await tx.query(CREATE_TABLE);
      const applied = await tx.query<{ version: number; checksum: string }>(SELECT_APPLIED);
      refuseForeignHistory(migrations, applied);
      for (const migration of migrations.slice(applied.length)) {
        options.say(`Migrating the database: ${migration.name}`);
        await apply(tx, migration);
      }
    });
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new MigrationRefused(await explainRights(database));
  }
}

async function isCurrent(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  const [found] = await database.query<{ readable: boolean | null }>(MAY_READ);
  if (found?.readable !== true) return false;
  const applied = await database.query<{ version: number; checksum: string }>(SELECT_APPLIED);
  refuseForeignHistory(migrations, applied);
  return applied.length === migrations.length;
}

async function explainRights(database: Database): Promise<string> {
  const [found] = await database.query<{ readable: boolean | null }>(MAY_READ);
  if (found?.readable === undefined || found.readable === null) {
    return 'The database user may not create tables. Give it CREATE on the schema, make it the owner of the database, or set MIGRATION_DATABASE_URL to the URL of a user that may.';
  }
  if (!found.readable) {
    return 'The database user has no rights on the tables. Run "npm run admin -- database grant ROLE" with MIGRATION_DATABASE_URL set to the URL of their owner.';
  }
  return (
    'The database must be migrated for this release, and its user does not own the tables. ' +
    'Run "npm run admin -- database migrate" with MIGRATION_DATABASE_URL set to the URL of the owner, ' +
    'or set that for the service too.'
  );
}

async function apply(tx: Queryable, migration: Migration): Promise<void> {
  // Inserted first: two processes that got here at once would collide on the primary key.
  await tx.query(INSERT_APPLIED, [migration.version, migration.name, migration.checksum]);
  await tx.query({ name: '', text: migration.text });
}

async function readMigrations(directory: string): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  const migrations = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, checksum };
    }),
  );
  migrations.forEach(({ version, name }, index) => {
    if (FILE_NAME.test(name) && version === index + 1) return;
    throw new Error(`migration ${name} is misnamed or out of sequence`);
  });
  return migrations;
}

async function refuseOldServer(database: Database): Promise<void> {
  const [row] = await database.query<{ version: string }>(SHOW_VERSION);
  if (Number(row?.version) >= POSTGRES_VERSION_MIN) return;
  throw new MigrationRefused(
    'The database is older than PostgreSQL 15. Use PostgreSQL 15 or newer, or unset DATABASE_URL to use the embedded one.',
  );
}

function refuseForeignHistory(
  migrations: readonly Migration[],
  applied: readonly { version: number; checksum: string }[],
): void {
  if (applied.length > migrations.length) {
    throw new MigrationRefused(
      `The database is at version ${applied.length}, newer than this code, which knows ${migrations.length}. Start a newer release.`,
    );
  }
  applied.forEach(({ version, checksum }, index) => {
    const known = migrations[index];
    if (known?.version === version && known.checksum === checksum) return;
    throw new MigrationRefused(
      `Migration ${version} in the database is not the one in this code: its file was changed after it was applied, or the database belongs to another program. Restore the file; never edit an applied migration.`,
    );
  });
}

const SHOW_VERSION: Statement = {
  name: 'server-version',
  text: `select current_setting('server_version_num') as version`,
};
// Null: there is no such table.
const MAY_READ: Statement = {
  name: '',
  text: `select has_table_privilege(to_regclass('migrations'), 'select') as readable`,
};
const NO_TIMEOUT: Statement = { name: '', text: 'set local statement_timeout = 0' };
const LOCK: Statement = { name: '', text: 'select pg_advisory_xact_lock($1)' };
const CREATE_TABLE: Statement = {
  name: '',
  text: `
    create table if not exists migrations (
      version integer primary key,
      name text not null check (char_length(name) <= 100),
      checksum text not null check (char_length(checksum) = 64),
      applied_at timestamptz not null default now()
    )`,
};
const SELECT_APPLIED: Statement = {
  name: '',
  text: 'select version, checksum from migrations order by version',
};
const INSERT_APPLIED: Statement = {
  name: '',
  text: 'insert into migrations (version, name, checksum) values ($1, $2, $3)',
};
