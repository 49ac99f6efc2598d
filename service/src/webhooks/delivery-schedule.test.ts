import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  nextAttemptInMs,
  RETRY_AFTER_MAX_SECONDS,
  SCHEDULE_ATTEMPTS_MAX,
  sustainedFailureMs,
} from './delivery-schedule.ts';

const HOUR_MS = 3_600_000;
const middle = { timeScale: 1, random: () => 0.5 };

function waits(options = middle): (number | undefined)[] {
  return Array.from({ length: SCHEDULE_ATTEMPTS_MAX }, (_, index) =>
    nextAttemptInMs({ attempts: index + 1, retryAfterSeconds: undefined }, options),
  );
}

describe('the schedule of a delivery', () => {
  it('makes ten attempts, with the waits of Standard Webhooks between them', () => {
    const hours = [2, 5, 10, 14, 20, 24].map((hour) => hour * HOUR_MS);
    assert.deepEqual(waits(), [5_000, 300_000, 1_800_000, ...hours, undefined]);
  });

  it('spreads each wait by a tenth to either side', () => {
    assert.equal(waits({ timeScale: 1, random: () => 0 })[0], 4_500);
    assert.equal(waits({ timeScale: 1, random: () => 0.999_999 })[0], 5_500);
  });

  it('multiplies its times by the time scale', () => {
    assert.equal(waits({ timeScale: 0.001, random: () => 0.5 })[0], 5);
    assert.equal(sustainedFailureMs(1), 5 * 24 * HOUR_MS);
    assert.equal(sustainedFailureMs(0.001), 432_000);
  });

  it('waits as long as the receiver demands, and never less than the schedule says', () => {
    const after = (retryAfterSeconds: number) =>
      nextAttemptInMs({ attempts: 1, retryAfterSeconds }, { timeScale: 1, random: () => 0 });
    assert.equal(after(60), 60_000);
    assert.equal(after(1), 4_500);
    assert.equal(after(10 ** 9), RETRY_AFTER_MAX_SECONDS * 1_000);
  });

  it('stays within its limits for any Retry-After of the receiver', () => {
    const attempts = fc.integer({ min: 1, max: SCHEDULE_ATTEMPTS_MAX - 1 });
    const demanded = fc.option(fc.nat(), { nil: undefined });
    const jitter = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempts, demanded, jitter, (made, retryAfterSeconds, random) => {
        const failed = { attempts: made, retryAfterSeconds };
        const waitMs = nextAttemptInMs(failed, { timeScale: 1, random: () => random });
        assert.ok(waitMs !== undefined && Number.isInteger(waitMs));
        assert.ok(waitMs >= 4_500 && waitMs <= 24 * HOUR_MS * 1.1);
      }),
    );
  });
});
