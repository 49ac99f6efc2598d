import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Database } from '../src/postgres/database.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { prepareDatabase } from '../src/schema/prepare-database.ts';
import { cellSchema, MAIN_CELL } from '../src/schema/service-schema.ts';

const say = () => undefined;
const MAIN = cellSchema(MAIN_CELL);

/** Migrates an empty database as the version before `migration` did, for tests of what an upgrade keeps. */
export async function migrateBefore(database: Database, migration: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kafue-migrations-'));
  try {
    const files = (await Promise.all(MAIN.folders.map(listFiles))).flat();
    const first = files.findIndex((file) => file.endsWith(`_${migration}.sql`));
    assert.ok(first > 0, `there is no migration ${migration}`);
    for (const file of files.slice(0, first)) await cp(file, join(folder, basename(file)));
    await migrate(database, { ...MAIN, folders: [folder], say });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs the rest of the migrations, as an upgrade does. */
export function migrateOn(database: Database): Promise<boolean> {
  return prepareDatabase(database, { role: undefined, say });
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort().map((name) => join(folder, name));
}
