import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { pollUntil } from '../../test/poll.ts';
import { createBackgroundLoop } from './background-loop.ts';

const LONG_MS = 60_000;

function loopOf(round: (signal: AbortSignal) => Promise<number>, changes = {}) {
  const warnings: string[] = [];
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  const rule = { round, what: 'counting', logger, retryInMs: 1, ...changes };
  return { loop: createBackgroundLoop(rule), warnings };
}

describe('a background loop', () => {
  it('begins once, however often it is started, and again when it is woken', async () => {
    let rounds = 0;
    const { loop } = loopOf(async () => {
      rounds += 1;
      return LONG_MS;
    });
    loop.start();
    loop.start();
    await pollUntil('the first round', async () => rounds === 1);
    loop.wake();
    await pollUntil('the second round', async () => rounds === 2);
    await loop.stop();
    assert.equal(rounds, 2);
  });

  it('goes on after a failed round, and says what failed', async () => {
    let rounds = 0;
    const { loop, warnings } = loopOf(async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('no database');
      return LONG_MS;
    });
    loop.start();
    await pollUntil('the second round', async () => rounds === 2);
    await loop.stop();
    assert.deepEqual(warnings, ['counting failed, trying again']);
  });

  it('waits for the round under way when it stops, and begins no other', async () => {
    let rounds = 0;
    const round = Promise.withResolvers<number>();
    const { loop } = loopOf((signal) => {
      rounds += 1;
      assert.equal(signal.aborted, false);
      return round.promise;
    });
    loop.start();
    const stop = loop.stop();
    const first = await Promise.race([stop.then(() => 'stopped'), immediate('waits')]);
    assert.equal(first, 'waits');
    round.resolve(0);
    await stop;
    assert.equal(rounds, 1);
  });

  it('never begins when it was stopped before, or stopped while it waits for the first round', async () => {
    const never = async () => assert.fail('a round began');
    const before = loopOf(never).loop;
    await before.stop();
    before.start();
    const { loop, warnings } = loopOf(never, { firstInMs: LONG_MS });
    loop.start();
    await Promise.all([before.stop(), loop.stop()]);
    assert.deepEqual(warnings, []);
  });

  it('leaves a gap between two rounds that are woken at once', async () => {
    const beganMs: number[] = [];
    const { loop } = loopOf(
      async () => {
        beganMs.push(performance.now());
        return LONG_MS;
      },
      { gapMs: 50 },
    );
    loop.start();
    loop.wake();
    await pollUntil('the second round', async () => beganMs.length === 2);
    await loop.stop();
    const [first = 0, second = 0] = beganMs;
    assert.ok(second - first >= 45, `${second - first} ms`);
  });
});
