import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeIdentifier } from 'pg';
import type { Database, Queryable, Statement } from './database.ts';
import { sqlState } from './database.ts';
import { MigrationRefused } from './migration-refused.ts';

/** Serialises processes that start at the same time. The number is arbitrary but must never change. */
export const MIGRATION_LOCK = 7_246_310_577;
const FILE_NAME = /^(\d{4})_[a-z0-9-]+\.sql$/;
const POSTGRES_VERSION_MIN = 150_000;
const INSUFFICIENT_PRIVILEGE = '42501';

type Migration = Readonly<{
  version: number;
  name: string;
  text: string;
  checksum: string;
  formerChecksum: string | undefined;
}>;

/** What is migrated, and by which files. */
export type Migrated = Readonly<{
  /** How people know it: 'the directory'. */
  title: string;
  /** The name of the schema. It is created where there is none. */
  schema: string;
  /** The folders of the files, in order; their numbers go on from one to the next. */
  folders: readonly string[];
  /** Files that were corrected after a release, with the checksum of what some databases applied instead. */
  corrected?: Readonly<Record<string, string>>;
}>;

/**
 * Migrates a schema to the newest version, forward only: a ledger cannot be undone. One transaction, so that a
 * start that is killed halfway leaves the database as it was. A schema that is at the newest version is only read, so
 * a role that may not change it can start the service.
 */
export async function migrate(
  database: Database,
  options: Migrated & Readonly<{ say: (line: string) => void }>,
): Promise<void> {
  const { schema } = options;
  const migrations = await readMigrations(options);
  await refuseOldServer(database);
  if (await isCurrent(database, schema, migrations)) return;
  try {
    await database.transaction(async (tx) => {
      await tx.query(LOCK, [MIGRATION_LOCK]);
      // Rewriting a large table takes longer than any other statement may.
      await tx.query(NO_TIMEOUT);
      await enterSchema(tx, schema);
      await tx.query(CREATE_TABLE);
      const applied = await tx.query<Applied>(selectApplied(schema));
      refuseForeignHistory(migrations, applied);
      for (const migration of migrations.slice(applied.length)) {
        options.say(`Migrating ${options.title}: ${migration.name}`);
        await apply(tx, migration);
      }
    });
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw await refuseWithoutRights(database, schema);
  }
}

/** Until the transaction ends, names without a schema are those of this one. */
async function enterSchema(tx: Queryable, schema: string): Promise<void> {
  const name = escapeIdentifier(schema);
  const [found] = await tx.query<{ is_there: boolean }>(IS_SCHEMA, [schema]);
  if (found?.is_there !== true) await tx.query({ name: '', text: `create schema ${name}` });
  await tx.query({ name: '', text: `set local search_path to ${name}` });
}

type Applied = { version: number; checksum: string };

async function isCurrent(
  database: Database,
  schema: string,
  migrations: readonly Migration[],
): Promise<boolean> {
  const [found] = await database.query<{ readable: boolean | null }>(MAY_READ, [schema]);
  if (found?.readable !== true) return false;
  const applied = await database.query<Applied>(selectApplied(schema));
  refuseForeignHistory(migrations, applied);
  return applied.length === migrations.length;
}

async function refuseWithoutRights(database: Database, schema: string): Promise<MigrationRefused> {
  const [found] = await database.query<{ readable: boolean | null }>(MAY_READ, [schema]);
  const readable = found?.readable ?? null;
  if (readable === null) return new MigrationRefused('MAY_NOT_CREATE', {});
  return new MigrationRefused(readable ? 'NOT_MIGRATED' : 'NO_RIGHTS', {});
}

async function apply(tx: Queryable, migration: Migration): Promise<void> {
  // Inserted first: two processes that got here at once would collide on the primary key.
  await tx.query(INSERT_APPLIED, [migration.version, migration.name, migration.checksum]);
  await tx.query({ name: '', text: migration.text });
}

async function readMigrations({
  folders,
  corrected = {},
}: Migrated): Promise<readonly Migration[]> {
  const files = (await Promise.all(folders.map(readFolder))).flat();
  const migrations = files.map((file) => ({ ...file, formerChecksum: corrected[file.name] }));
  migrations.forEach(({ version, name }, index) => {
    if (FILE_NAME.test(name) && version === index + 1) return;
    throw new Error(`migration ${name} is misnamed or out of sequence`);
  });
  return migrations;
}

async function readFolder(folder: string) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, checksum };
    }),
  );
}

async function refuseOldServer(database: Database): Promise<void> {
  const [row] = await database.query<{ version: string }>(SHOW_VERSION);
  if (Number(row?.version) >= POSTGRES_VERSION_MIN) return;
  throw new MigrationRefused('SERVER_TOO_OLD', {});
}

function refuseForeignHistory(
  migrations: readonly Migration[],
  applied: readonly { version: number; checksum: string }[],
): void {
  if (applied.length > migrations.length) {
    const facts = { version: applied.length, knownVersion: migrations.length };
    throw new MigrationRefused('NEWER_THAN_CODE', facts);
  }
  applied.forEach(({ version, checksum }, index) => {
    const known = migrations[index];
    const isKnown = checksum === known?.checksum || checksum === known?.formerChecksum;
    if (known?.version === version && isKnown) return;
    throw new MigrationRefused('UNKNOWN_MIGRATION', { version });
  });
}

const SHOW_VERSION: Statement = {
  name: 'server-version',
  text: `select current_setting('server_version_num') as version`,
};
// Null: there is no such table.
const MAY_READ: Statement = {
  name: '',
  text: `select has_table_privilege(to_regclass(quote_ident($1) || '.migrations'), 'select') as readable`,
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
const IS_SCHEMA: Statement = {
  name: '',
  text: 'select to_regnamespace(quote_ident($1)) is not null as is_there',
};
const selectApplied = (schema: string): Statement => ({
  name: '',
  text: `select version, checksum from ${escapeIdentifier(schema)}.migrations order by version`,
});
const INSERT_APPLIED: Statement = {
  name: '',
  text: 'insert into migrations (version, name, checksum) values ($1, $2, $3)',
};
