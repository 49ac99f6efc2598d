import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInterruptibleSleep } from './interruptible-sleep.ts';

const LONG_MS = 60_000;

describe('a sleep that can be interrupted', () => {
  it('ends when it is woken, also when it was woken before', async () => {
    const wakeUp = createInterruptibleSleep();
    const sleep = wakeUp.sleepUntilWoken(LONG_MS);
    wakeUp.wake();
    await sleep;
    wakeUp.wake();
    await wakeUp.sleepUntilWoken(LONG_MS);
  });

  it('lasts at least as long as it should, and remembers that it was woken', async () => {
    const wakeUp = createInterruptibleSleep();
    const startedMs = performance.now();
    const sleep = wakeUp.sleepAtLeast(50);
    wakeUp.wake();
    await sleep;
    assert.ok(performance.now() - startedMs >= 45);
    await wakeUp.sleepUntilWoken(LONG_MS);
  });

  it('ends at once when it is closed', async () => {
    const wakeUp = createInterruptibleSleep();
    const sleep = wakeUp.sleepAtLeast(LONG_MS);
    wakeUp.close();
    await sleep;
    await wakeUp.sleepAtLeast(LONG_MS);
    await wakeUp.sleepUntilWoken(LONG_MS);
  });
});
