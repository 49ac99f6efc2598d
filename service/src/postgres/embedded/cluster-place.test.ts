import assert from 'node:assert/strict';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  assertRuns,
  assertStopped,
  CHILD_SCRIPT,
  newDataFolder,
  type OpenInChild,
  readPostmasterPid,
  startChild,
} from '../../../test/embedded/data-folders.ts';
import { exists } from './atomic-files.ts';
import { OUTSIDE_HOME } from './cluster-place.ts';
import { removeEmbeddedPostgres } from './remove-embedded-postgres.ts';
import { runProgram } from './run-program.ts';

const ORDINARY_USER = { name: 'nobody', uid: 65_534, gid: 65_534 };
const SKIP = process.getuid?.() === 0 ? false : 'only root can run as another user';

/**
 * The programs as in a fresh clone, without the links that an install script would make, in a folder that belongs to
 * root. All of it is removed afterwards.
 */
async function newClone(t: TestContext, mode: number) {
  const clone = await mkdtemp(join(tmpdir(), 'kafue-clone-'));
  const dataDir = join(clone, 'data');
  const copiesBefore = await copiedPrograms();
  const children: { kill: () => Promise<void> }[] = [];
  t.after(async () => {
    for (const child of children) await child.kill();
    await removeEmbeddedPostgres({ dataDir });
    await rm(clone, { recursive: true });
    // Other data folders may have their clusters there too: only our copy is removed.
    for (const name of await copiedPrograms()) {
      if (!copiesBefore.includes(name)) await rm(join(OUTSIDE_HOME, name), { recursive: true });
    }
    await rmdir(OUTSIDE_HOME).catch(() => undefined);
  });
  await chmod(clone, mode);
  const programs = join(clone, 'src', 'postgres', 'embedded');
  await cp(dirname(fileURLToPath(import.meta.url)), programs, { recursive: true });
  const script = join(clone, 'test', 'embedded', 'open-and-wait.ts');
  await cp(CHILD_SCRIPT, script);
  await installPackages(join(clone, 'node_modules'));
  await mkdir(dataDir);

  async function open(account?: { uid: number; gid: number }): Promise<OpenInChild> {
    const child = startChild({
      script,
      dataDir,
      role: 'service',
      description: 'clone',
      ...(account === undefined ? {} : { account }),
    });
    children.push(child);
    return child.opened();
  }

  return { clone, dataDir, open };
}

async function copiedPrograms(): Promise<string[]> {
  const names = await readdir(OUTSIDE_HOME).catch(() => []);
  return names.filter((name) => name.startsWith('postgresql-'));
}

async function installPackages(modules: string): Promise<void> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  await cp(installed, join(modules, name), {
    recursive: true,
    filter: async (source) => !/\.so(?:\.\d+)?$/.test(source) || !(await isListed(source)),
  });
  const pg = fileURLToPath(import.meta.resolve('pg/package.json'));
  await symlink(dirname(pg), join(modules, 'pg'));

  async function isListed(source: string): Promise<boolean> {
    const list = await readFile(join(installed, 'native', 'pg-symlinks.json'), 'utf8');
    return list.includes(`"target":"${source.slice(installed.length + 1)}"`);
  }
}

async function ownerOf(path: string): Promise<number> {
  return (await stat(path)).uid;
}

test('as root below a folder that only root may enter, the server uses another folder, and reports it', {
  skip: SKIP,
}, async (t) => {
  const { clone, dataDir, open } = await newClone(t, 0o700);
  const [copiedBefore] = await copiedPrograms();
  const first = await open();
  assert.equal(first.report['refused'], undefined, String(first.report['message']));
  const home = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
  assert.equal(dirname(home), OUTSIDE_HOME);
  const said = String(first.report['said']);
  assert.ok(said.includes(`its files are in ${home}`), said);
  // Reported when it happens; a service below another such folder may have copied them before.
  const copied = /Copying the PostgreSQL programs to \/var\/lib\/kafue\/postgresql-18/.test(said);
  assert.equal(copied, copiedBefore === undefined, said);
  await assertRuns(first.connectionString);
  const pid = await readPostmasterPid(join(home, 'postgres'));
  assert.notEqual(await ownerOf(`/proc/${pid}`), 0);
  await first.close();
  await assertStopped(first.connectionString);

  // The cluster stays where it is when the folder becomes accessible.
  await chmod(clone, 0o755);
  const second = await open();
  await assertRuns(second.connectionString);
  assert.equal(await exists(join(dataDir, 'postgres')), false);
  await second.close();

  await removeEmbeddedPostgres({ dataDir });
  assert.equal(await exists(home), false);
  assert.deepEqual(await readdir(dataDir), []);
});

test('as root, concurrent starts agree on one place outside', { skip: SKIP }, async (t) => {
  const folder = await newDataFolder(t);
  await chmod(folder.dataDir, 0o700);
  const [one, two] = await Promise.all([
    folder.openInChild('service'),
    folder.openInChild('admin'),
  ]);
  assert.equal(one.connectionString, two.connectionString);
  await assertRuns(one.connectionString);
});

test('an ordinary user needs no write access to the package, and root beside that user changes nothing', {
  skip: SKIP,
}, async (t) => {
  const { dataDir, open } = await newClone(t, 0o755);
  const trial = await runProgram({
    path: process.execPath,
    args: ['-e', `require('node:fs').readdirSync(${JSON.stringify(dirname(dataDir))})`],
    account: ORDINARY_USER,
    timeoutMs: 30_000,
  });
  if (trial.exitCode !== 0) return t.skip('user "nobody" cannot reach node here');
  await chown(dataDir, ORDINARY_USER.uid, ORDINARY_USER.gid);

  const first = await open(ORDINARY_USER);
  assert.equal(first.report['refused'], undefined, String(first.report['message']));
  assert.match(String(first.report['said']), /Copying the PostgreSQL programs/);
  await assertRuns(first.connectionString);
  await first.close();

  const asRoot = await open();
  assert.equal(asRoot.report['refused'], undefined, String(asRoot.report['message']));
  await assertRuns(asRoot.connectionString);
  const pid = await readPostmasterPid(join(dataDir, 'postgres'));
  assert.equal(await ownerOf(`/proc/${pid}`), ORDINARY_USER.uid);
  await asRoot.close();

  const again = await open(ORDINARY_USER);
  await assertRuns(again.connectionString);
  await again.close();
});
