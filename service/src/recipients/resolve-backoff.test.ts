import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resolveBackoffMs } from './resolve-backoff.ts';

const HOUR_MS = 3_600_000;

it('doubles from 5 seconds to an hour and stays there', () => {
  const waits = [1, 2, 3, 4, 10, 11, 5_000].map((attempts) =>
    resolveBackoffMs({ attempts, timeScale: 1, wasAsked: true }),
  );
  assert.deepEqual(waits, [5_000, 10_000, 20_000, 40_000, 2_560_000, HOUR_MS, HOUR_MS]);
});

it('follows the time scale of the route, but is never a busy loop nor slower than hourly', () => {
  assert.equal(resolveBackoffMs({ attempts: 1, timeScale: 0.1, wasAsked: true }), 500);
  assert.equal(resolveBackoffMs({ attempts: 1, timeScale: 0, wasAsked: true }), 50);
  assert.equal(resolveBackoffMs({ attempts: 30, timeScale: 60, wasAsked: true }), HOUR_MS);
});

it('retries within five minutes where only the allowance was used up', () => {
  const waits = [1, 2, 7, 5_000].map((attempts) =>
    resolveBackoffMs({ attempts, timeScale: 1, wasAsked: false }),
  );
  assert.deepEqual(waits, [5_000, 10_000, 300_000, 300_000]);
});
