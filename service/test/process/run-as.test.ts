import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readSystemUsers, type SystemUser } from '../../src/postgres/embedded/system-users.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { ServiceEnded, startService } from '../running-service.ts';

const MAY_CHANGE_USER = process.platform === 'linux' && process.getuid?.() === 0;

describe('a service that is started as root', { skip: !MAY_CHANGE_USER }, () => {
  let dataDir: string;
  let ordinary: SystemUser;

  before(async () => {
    dataDir = await createDataDir();
    const user = (await readSystemUsers()).find(({ name }) => name === 'nobody');
    assert.ok(user !== undefined);
    ordinary = user;
  });
  after(() => removeDataDir(dataDir));

  /** Starts the service, and resolves with the real, effective, saved and file system user of the process. */
  async function startedUsers(env: Readonly<Record<string, string>>): Promise<string> {
    const service = await startService({ dataDir, env });
    try {
      const ready = await fetch(`${service.baseUrl}/health/ready`);
      assert.equal(ready.status, 200);
      const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
      return /^Uid:\s+(.*)$/m.exec(status)?.[1] ?? '';
    } finally {
      assert.equal(await service.end(), 0);
    }
  }

  it('drops root to the user of RUN_AS, and later to the owner of the data folder', async (t) => {
    const expected = Array.from({ length: 4 }, () => ordinary.uid).join('\t');
    try {
      assert.equal(await startedUsers({ RUN_AS: 'nobody' }), expected);
    } catch (error) {
      // If only root can read the clone's folder, another user cannot run it; the service says so.
      if (!(error instanceof ServiceEnded && error.output.includes('may not read'))) throw error;
      t.skip('the project lies where only root may read');
      return;
    }
    for (const name of ['', 'demo.json', 'postgres']) {
      assert.equal((await stat(join(dataDir, name))).uid, ordinary.uid, name);
    }
    assert.equal(await startedUsers({}), expected);
  });
});
