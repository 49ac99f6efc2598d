import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEmbeddedPostgres } from '../service/src/postgres/embedded/open-embedded-postgres.ts';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

test('other users may write to it, and a database server that was left there ends with it', async () => {
  const folder = await createTemporaryFolder();
  assert.equal((await stat(folder)).mode & 0o7777, 0o1777);
  const dataDir = join(folder, 'kafue-data-x');
  await mkdir(dataDir, { mode: 0o755 });
  const { connectionString } = await openEmbeddedPostgres(
    { say: () => undefined },
    { dataDir, role: 'admin', description: 'kafue tests' },
  );
  await removeTemporaryFolder(folder);
  await assert.rejects(stat(folder), { code: 'ENOENT' });
  const { hostname, port } = new URL(connectionString);
  await assert.rejects(once(connect(Number(port), hostname), 'connect'), { code: 'ECONNREFUSED' });
});

test('a program that works in it or was started from it ends with it, and no other', {
  skip: process.platform !== 'linux' && 'only Linux says where a program works',
  timeout: 60_000,
}, async (t) => {
  const folder = await createTemporaryFolder();
  const elsewhere = await createTemporaryFolder();
  t.after(() => removeTemporaryFolder(elsewhere));
  const place = join(folder, 'clone');
  await mkdir(place);
  const options = { detached: true, stdio: 'ignore' } as const;
  const inside = spawn('sleep', ['600'], { ...options, cwd: place });
  const from = spawn(
    process.execPath,
    ['-e', 'setInterval(() => {}, 1_000)', `${place}/none`],
    options,
  );
  const other = spawn('sleep', ['600'], { ...options, cwd: elsewhere });
  t.after(() => void [inside, from].map((one) => one.kill('SIGKILL')));
  await Promise.all([inside, from, other].map((one) => once(one, 'spawn')));
  const ends = Promise.all([once(inside, 'exit'), once(from, 'exit')]);
  await removeTemporaryFolder(folder);
  assert.deepEqual(await ends, [
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ]);
  assert.equal(other.exitCode ?? other.signalCode, null);
});
