import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInterruptibleSleep } from './interruptible-sleep.ts';

const LONG_MS = 60_000;

describe('sleep that can be ended', () => {
  it('ends when somebody calls, also when he called before', async () => {
    const wakeUp = createInterruptibleSleep();
    const sleep = wakeUp.sleepUntilWoken(LONG_MS);
    wakeUp.wake();
    await sleep;
    wakeUp.wake();
    await wakeUp.sleepUntilWoken(LONG_MS);
  });

  it('is as long as it should be at least, and remembers the call', async () => {
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
