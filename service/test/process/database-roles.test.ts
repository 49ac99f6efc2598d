import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { programFile } from '../../../scripts/program-file.ts';
import { openEmbeddedPostgres } from '../../src/postgres/embedded/open-embedded-postgres.ts';
import { childEnvironment } from '../child-environment.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { startService } from '../running-service.ts';
import { createEmptyDatabase, type TestDatabase } from '../test-database.ts';

const SERVICE_ROLE = 'kafue_service';

/** The roles of the connections that the service works with. */
async function rolesOf(connectionString: string): Promise<readonly string[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: string }>(`
      select distinct usename::text as role from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename is not null
        and application_name like any (array['kafue writer%', 'kafue reader%'])`);
    return rows.map(({ role }) => role);
  } finally {
    await client.end();
  }
}

describe('a service with DATABASE_URL', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createEmptyDatabase();
  });
  after(() => test.drop());

  const start = (databaseUrl: string, env: Record<string, string> = {}) =>
    startService({ databaseUrl, env });
  const admin = (...args: string[]) =>
    promisify(execFile)(process.execPath, [programFile('admin'), ...args], {
      env: { ...childEnvironment(), MIGRATION_DATABASE_URL: test.connectionString },
    });

  it('says what to run if the tables are missing and its role cannot create them', async () => {
    await assert.rejects(start(test.serviceUrl), /CREATE on the database and on the schema public/);
  });

  it('starts once the owner has migrated and granted', async () => {
    await admin('database', 'migrate');
    await assert.rejects(start(test.serviceUrl), /admin -- database grant/);
    await admin('database', 'grant', SERVICE_ROLE);
    const service = await start(test.serviceUrl);
    assert.doesNotMatch(service.output(), /owner of its tables/);
    assert.equal(await service.end(), 0);
  });

  it('migrates as the owner and works as its own role with two URLs', async () => {
    const own = await createEmptyDatabase();
    try {
      const env = { MIGRATION_DATABASE_URL: own.connectionString };
      const service = await start(own.serviceUrl, env);
      const response = await fetch(`${service.baseUrl}/health/ready`);
      assert.equal(response.status, 200);
      assert.deepEqual(await rolesOf(own.connectionString), [SERVICE_ROLE]);
      assert.equal(await service.end(), 0);
    } finally {
      await own.drop();
    }
  });

  it('still works as the owner, and recommends a separate role', async () => {
    const service = await start(test.connectionString);
    assert.match(service.output(), /works as the owner of its tables/);
    assert.equal(await service.end(), 0);
  });
});

it('a service with the embedded server works as a role that owns nothing', async () => {
  const dataDir = await createDataDir();
  try {
    const service = await startService({ dataDir });
    const user = { dataDir, role: 'admin', description: 'test' } as const;
    const server = await openEmbeddedPostgres({ say: () => undefined }, user);
    assert.deepEqual(await rolesOf(server.connectionString), [SERVICE_ROLE]);
    await server.close();
    assert.equal(await service.end(), 0);
  } finally {
    await removeDataDir(dataDir);
  }
});
