import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { CONNECTOR_KINDS } from '../../service/src/operators/connector-kinds.ts';
import { findFreePort } from '../../service/src/postgres/embedded/free-port.ts';
import { pollUntil } from '../../service/test/poll.ts';
import { type CopiedClone, copyClone } from '../guides/checking/copied-clone.ts';
import { followGuide } from '../guides/checking/follow-guide.ts';
import { readTable } from '../guides/checking/read-blocks.ts';
import { readersPath } from '../guides/checking/readers-path.ts';
import { openShellSession, type ShellSession } from '../guides/checking/shell-session.ts';

const PATH = 'docs/runbooks/in-doubt.md';

describe('the runbook for doubts', { skip: process.platform === 'win32' }, () => {
  let clone: CopiedClone;
  let session: ShellSession;
  before(async () => {
    clone = await copyClone();
    session = openShellSession(clone.folder, {
      PATH: await readersPath(clone.folder),
      HOME: process.env.HOME ?? '',
      SANDBOX_DELAY_MS: '100',
      PORT: String(await findFreePort()),
    });
    await session.runOn('service', 'npm start');
    await pollUntil('the service is ready', () => session.shownOn('service').includes('is ready'));
  });
  after(async () => {
    await session.close();
    await clone.remove();
  });

  it('shows what its reader sees', () => followGuide(session, { path: PATH, ports: {} }));
});

describe('the table of references in the runbook', () => {
  it('leaves no connector out', async () => {
    const runbook = await readFile(new URL('in-doubt.md', import.meta.url), 'utf8');
    const named = readTable(runbook, 'operator').flatMap(([, connector = '']) => connector);
    const known = CONNECTOR_KINDS.map(({ name }) => `\`${name}\``);
    assert.deepEqual(named.sort(), known.sort());
  });
});
