import assert from 'node:assert/strict';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTemporaryFolder, removeTemporaryFolder } from './temporary-folder.ts';

test('other users may write to it, and it is removed with all that is in it', async () => {
  const folder = await createTemporaryFolder();
  assert.equal((await stat(folder)).mode & 0o7777, 0o1777);
  // As a killed server leaves its folder: the process with this number has ended.
  const cluster = join(folder, 'kafue-data-x', 'postgres');
  await mkdir(cluster, { recursive: true });
  await writeFile(join(cluster, 'PG_VERSION'), '18\n');
  await writeFile(join(cluster, 'postmaster.pid'), '4194304\n');
  await removeTemporaryFolder(folder);
  await assert.rejects(stat(folder), { code: 'ENOENT' });
});
