import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/postgres/database.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { SERVICE_SCHEMA } from '../src/schema/service-schema.ts';

const say = () => undefined;

/** Migrates an empty database as the version before `migration` did, for tests of what an upgrade keeps. */
export async function migrateBefore(database: Database, migration: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'kafue-migrations-'));
  try {
    const files = (await readdir(SERVICE_SCHEMA.migrations)).sort();
    const first = files.findIndex((name) => name.endsWith(`_${migration}.sql`));
    assert.ok(first > 0, `there is no migration ${migration}`);
    for (const name of files.slice(0, first)) {
      await cp(join(SERVICE_SCHEMA.migrations, name), join(directory, name));
    }
    await migrate(database, { directory, say });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Runs the rest of the migrations, as an upgrade does. */
export function migrateOn(database: Database): Promise<void> {
  return migrate(database, { directory: SERVICE_SCHEMA.migrations, say });
}
