import assert from 'node:assert/strict';
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
