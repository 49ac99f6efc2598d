import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const MODULE = JSON.stringify(new URL('stop-on-signal.ts', import.meta.url).href);
/** Cleans up for a second after the signal, and then ends with 0. */
const PROGRAM = `
  const { stopOnSignal } = await import(${MODULE});
  const signal = stopOnSignal(() => undefined, 130);
  signal.addEventListener('abort', () => setTimeout(() => process.exit(0), 1_000));
  setInterval(() => undefined, 1_000);
  console.log('ready');`;

async function start(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout !== null);
  await once(child.stdout, 'data');
  return child;
}

it('lets a run clean up when a signal comes twice at once', async () => {
  const child = await start();
  child.kill('SIGTERM');
  await wait(100);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

it('ends at once when another signal comes later', async () => {
  const child = await start();
  child.kill('SIGTERM');
  await wait(700);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [130, null]);
});
