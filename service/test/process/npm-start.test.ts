import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../src/postgres/embedded/free-port.ts';
import { createDataDir, removeDataDir } from '../data-dir.ts';
import { pollUntil } from '../poll.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const START_MAX_MS = 60_000;
const STOP_MAX_MS = 20_000;
/** Later than one signal swallows another, sooner than a person asks a second time. */
const ECHO_AFTER_MS = 50;

it('npm start goes on when its output is closed, and ends with its database on Ctrl-C to all of them', async (t) => {
  const dataDir = await createDataDir();
  const port = await findFreePort();
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    // A group of its own: npm, the shell, the starter and the service, as a terminal has them.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'info' },
  });
  const { pid } = child;
  assert.ok(pid !== undefined);
  t.after(async () => {
    killGroup(pid, 'SIGKILL');
    await removeDataDir(dataDir);
  });
  const ended = once(child, 'exit');
  // As after `npm start | head -4`: npm says what it runs, and each line after that fails.
  child.stdout.on('data', (chunk: Buffer) => {
    if (!chunk.includes('scripts/run.mjs')) return;
    child.stdout.destroy();
    child.stderr.destroy();
  });
  await pollUntil(
    'the service to be ready',
    () => {
      assert.equal(child.exitCode, null, 'it ended instead');
      return isReady(port);
    },
    START_MAX_MS,
  );
  const postmaster = join(dataDir, 'postgres', 'postmaster.pid');
  const server = Number(readFileSync(postmaster, 'utf8').split('\n')[0]);
  assert.ok(isAlive(server));
  const startedMs = performance.now();
  killGroup(pid, 'SIGINT');
  await pause(ECHO_AFTER_MS);
  killGroup(pid, 'SIGINT');
  await ended;
  await pollUntil('the database to end', () => !isAlive(server), STOP_MAX_MS);
  assert.ok(performance.now() - startedMs < STOP_MAX_MS);
  assert.ok(!existsSync(postmaster), 'the database was not shut down in order');
  assert.equal(await isReady(port), false);
});

async function isReady(port: number): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
  return reply?.status === 200;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of them have ended.
  }
}
