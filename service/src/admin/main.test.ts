import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { programFile } from '../../../scripts/program-file.ts';
import { childEnvironment } from '../../test/child-environment.ts';
import { createEmptyDatabase } from '../../test/test-database.ts';
import { openEmbeddedPostgres } from '../postgres/embedded/open-embedded-postgres.ts';
import { removeEmbeddedPostgres } from '../postgres/embedded/remove-embedded-postgres.ts';

type Ended = Readonly<{ exitCode: number | null; out: string; error: string }>;

function run(env: Record<string, string>, ...argv: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [programFile('admin'), ...argv], {
    env: { ...childEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr.on('data', (bytes: Buffer) => {
    error += bytes.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, out, error }));
  });
}

describe('npm run admin', () => {
  it('migrates an empty database and answers with one JSON document on standard output', async () => {
    const test = await createEmptyDatabase();
    try {
      const env = { DATABASE_URL: test.connectionString };
      const created = await run(env, 'merchants', 'create', 'First', '--json');
      assert.equal(created.exitCode, 0, created.error);
      assert.equal(JSON.parse(created.out).merchant.name, 'First');
      assert.match(created.error, /Migrating/);
      const listed = await run(env, 'merchants', 'list');
      assert.match(listed.out, /^name +id/);
      assert.equal(listed.error, '');
    } finally {
      await test.drop();
    }
  });

  it('ends with 78 for a wrong DATABASE_URL and with 1 for a database that is down', async () => {
    const wrong = await run({ DATABASE_URL: 'mysql://root:secret@db/x' }, 'stuck');
    assert.equal(wrong.exitCode, 78);
    assert.match(wrong.error, /^DATABASE_URL is not valid\.\n/);
    const down = await run({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, 'stuck');
    assert.equal(down.exitCode, 1);
    assert.match(down.error, /^The database cannot be reached: .*ECONNREFUSED/);
    for (const { out, error } of [wrong, down]) assert.ok(!(out + error).includes('secret'));
  });

  it('works on the embedded database without a service and beside one', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kafue-admin-'));
    const env = { DATA_DIR: dataDir };
    try {
      const alone = await run(env, 'merchants', 'create', 'Alone', '--json');
      assert.equal(alone.exitCode, 0, alone.error);
      const service = await openEmbeddedPostgres(
        { say: () => undefined },
        { dataDir, role: 'service', description: 'test' },
      );
      try {
        const beside = await run(env, 'merchants', 'list', '--json');
        assert.equal(beside.exitCode, 0, beside.error);
        assert.equal(JSON.parse(beside.out).merchants[0].name, 'Alone');
        const after = await run(env, 'ledger', 'verify');
        assert.equal(after.exitCode, 0, after.error);
      } finally {
        await service.close();
      }
    } finally {
      await removeEmbeddedPostgres({ dataDir });
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
