import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { volume } from '../../../scripts/test-volume.ts';
import { removeDataDir } from '../data-dir.ts';
import { pollUntil } from '../poll.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MAX_MS = 120_000;
const STOP_MAX_MS = 15_000;
/** The full tests install. Otherwise npm only says whether it could, and what is installed here is linked. */
const INSTALLS = volume({ usual: false, full: true });

let clone: string;
let child: ChildProcess | undefined;

before(async () => {
  clone = await mkdtemp(join(tmpdir(), 'kafue-clone-'));
  // Allows a database server that runs as another user to find its files in the clone.
  await chmod(clone, 0o755);
  await copyWorkTree();
  if (!INSTALLS) await linkPackages();
});
after(async () => {
  if (child?.pid !== undefined && child.exitCode === null) killGroup(child.pid);
  await removeDataDir(join(clone, 'data'));
  await rm(clone, { recursive: true, force: true });
});

/** npm, the shell, the starter and the service: after a signal to npm all of them may have ended. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** What a clone would hold: tracked files and new ones, as they stand in the work tree. */
async function copyWorkTree(): Promise<void> {
  const { stdout } = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z'],
    { cwd: ROOT, maxBuffer: 16 * 1024 * 1024 },
  );
  for (const name of stdout.split('\0').filter((line) => line !== '')) {
    await mkdir(dirname(join(clone, name)), { recursive: true });
    // A file that is deleted but not yet committed is still listed.
    await cp(join(ROOT, name), join(clone, name)).catch(() => undefined);
  }
}

async function linkPackages(): Promise<void> {
  await run('npm', ['ci', '--dry-run', '--offline'], { cwd: clone, env: newcomersEnvironment() });
  const from = join(ROOT, 'node_modules');
  const to = join(clone, 'node_modules');
  await mkdir(to);
  for (const name of await readdir(from)) await symlink(join(from, name), join(to, name));
}

function newcomersEnvironment() {
  return {
    PATH: newcomersPath(),
    HOME: process.env.HOME ?? '',
    PORT: '0',
    SANDBOX_DELAY_MS: '10',
    npm_config_prefer_offline: 'true',
  };
}

/** Without the project's own Node.js in front: as a newcomer's shell has it. */
function newcomersPath(): string {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ROOT))
    .join(delimiter);
}

const what = INSTALLS ? 'installs, starts' : 'starts';
it(`npm start on a fresh clone ${what}, has a console and prints a curl line that pays`, async (t) => {
  const startedMs = performance.now();
  const lines: string[] = [];
  child = spawn('npm', ['start'], {
    cwd: clone,
    detached: true,
    env: newcomersEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const output = () => lines.join('');
  await pollUntil(
    'the line to paste',
    () => {
      assert.equal(child?.exitCode, null, output());
      return output().includes('Documentation:');
    },
    READY_MAX_MS,
  );
  t.diagnostic(`ready after ${Math.round((performance.now() - startedMs) / 1_000)} s`);
  const consoleUrl = /^Console: (\S+)$/m.exec(output())?.[1] ?? '';
  const page = await fetch(consoleUrl);
  assert.deepEqual(
    [page.status, page.headers.get('content-type')],
    [200, 'text/html; charset=utf-8'],
  );
  const line = /^curl .*$/m.exec(output())?.[0] ?? '';
  const { stdout } = await run('bash', ['-c', line]);
  assert.equal((JSON.parse(stdout) as { message: string }).message, 'Transfer initiated');
  const { port, pid } = readListening(output());
  child.kill('SIGTERM');
  await pollUntil('the service to end with npm', () => !isAlive(pid), STOP_MAX_MS);
  await assert.rejects(fetch(`http://127.0.0.1:${port}/health/live`));
  assert.ok(output().includes('"stopped"'), output());
});

function readListening(output: string): { port: number; pid: number } {
  const line = output.split('\n').find((text) => text.includes('"listening"')) ?? '{}';
  return JSON.parse(line) as { port: number; pid: number };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
