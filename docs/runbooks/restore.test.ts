import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { type CopiedClone, copyClone } from '../guides/checking/copied-clone.ts';
import { followGuide } from '../guides/checking/follow-guide.ts';
import { readersPath } from '../guides/checking/readers-path.ts';
import { openShellSession, type ShellSession } from '../guides/checking/shell-session.ts';

const PATH = 'docs/runbooks/restore.md';
const BASE_URL = 'http://127.0.0.1:9/';

/** One route that must be held, and one that needs nothing. */
const ROUTES = [
  {
    name: 'zamtel-zm',
    connector: 'zamtel',
    operator: 'zamtel',
    country: 'zm',
    settings: {
      thirdPartyId: 'us',
      password: 'p',
      shortcode: '1234',
      identifier: 'me',
      credential: 'c',
      baseUrl: BASE_URL,
    },
  },
  {
    name: 'mtn-zm',
    connector: 'pawapay',
    operator: 'mtn',
    country: 'zm',
    settings: { apiToken: 't'.repeat(20), baseUrl: BASE_URL },
  },
];

describe('the runbook for a restore', { skip: process.platform === 'win32' }, () => {
  let clone: CopiedClone;
  let test: TestDatabase;
  let session: ShellSession;
  before(async () => {
    clone = await copyClone();
    test = await createTestDatabase();
    await writeFile(join(clone.folder, 'routes.json'), JSON.stringify({ routes: ROUTES }));
    session = openShellSession(clone.folder, {
      PATH: await readersPath(clone.folder),
      HOME: process.env.HOME ?? '',
      DATABASE_URL: test.connectionString,
    });
  });
  after(async () => {
    await session.close();
    await test.drop();
    await clone.remove();
  });

  it('shows what its reader sees', () => followGuide(session, { path: PATH, ports: {} }));
});
