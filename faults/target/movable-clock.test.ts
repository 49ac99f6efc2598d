import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { CLOCK_SHIM, createMovableClock } from './movable-clock.ts';

const HOUR_MS = 3_600_000;
/** Two readings of a clock are never so far apart. */
const NOISE_MS = HOUR_MS / 2;

/** Answers every line with the times of its clocks. */
const SCRIPT = `
  process.stdin.on('data', () => console.log(
    JSON.stringify([Date.now(), new Date().getTime(), new Date(5).getTime(), performance.now()])));`;

it('moves the clocks of a running process, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kafue-clock-'));
  const clock = await createMovableClock(join(folder, 'clock'));
  const child = spawn(process.execPath, ['--import', CLOCK_SHIM, '-e', SCRIPT], {
    env: { ...process.env, CLOCK_FILE: clock.file },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const look = async (): Promise<readonly number[]> => {
    child.stdin.write('?');
    return JSON.parse((await lines.next()).value ?? '[]') as number[];
  };
  const isNear = (actual: number | undefined, wanted: number) =>
    assert.ok(Math.abs((actual ?? Number.NaN) - wanted) < NOISE_MS, `${actual} is not ${wanted}`);
  try {
    const before = await look();
    isNear(before[0], Date.now());
    await clock.moveWallBy(-HOUR_MS);
    await clock.moveMonotonicBy(2 * HOUR_MS);
    const after = await look();
    isNear(after[0], Date.now() - HOUR_MS);
    isNear(after[1], Date.now() - HOUR_MS);
    assert.equal(after[2], 5);
    await clock.moveWallBy(0.5);
    assert.ok(Number.isInteger((await look())[0]), 'Date.now() is a whole number');
    isNear(after[3], (before[3] ?? 0) + 2 * HOUR_MS);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});
