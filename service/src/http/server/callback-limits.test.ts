import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../domain/refusal.ts';
import { CallbackLimits } from './callback-limits.ts';

const SMALL = 10;
const BUSY = 1_500;
const MTN_BODY_BYTES = 330;
const KIB = 1_024;

function limitsAt(startMs = 0) {
  let nowMs = startMs;
  const limits = new CallbackLimits(() => nowMs);
  return { limits, pass: (ms: number) => (nowMs += ms) };
}

/** How often it may be called in a row, at most `max` times. */
function countAdmitted(max: number, admit: () => void): number {
  for (let count = 0; count < max; count += 1) {
    try {
      admit();
    } catch (error) {
      assert.ok(error instanceof Refusal && error.code === 'RATE_LIMITED');
      return count;
    }
  }
  return max;
}

describe('callbacks of a route', () => {
  it('are limited per address and per route, at the least rate where it pays out little', () => {
    const { limits, pass } = limitsAt();
    const admitted = (route: string, address: string) =>
      countAdmitted(10_000, () => limits.admit(route, address, SMALL));
    assert.equal(admitted('mtn-zm', '203.0.113.1'), 2_000);
    assert.equal(admitted('mtn-zm', '203.0.113.1'), 0);
    assert.equal(admitted('mtn-zm', '203.0.113.2'), 2_000, 'another address has its own');
    assert.equal(admitted('airtel-zm', '203.0.113.1'), 2_000, 'another route has its own');
    pass(1_000);
    assert.equal(admitted('mtn-zm', '203.0.113.1'), 1_000);
  });

  it('are limited by their bytes, to 256 KiB a second where it pays out little', () => {
    const { limits, pass } = limitsAt();
    const admitted = (bytes: number) =>
      countAdmitted(10_000, () => limits.admitBytes('mtn-zm', bytes, SMALL));
    assert.equal(admitted(KIB), 4 * KIB);
    pass(1_000);
    assert.equal(admitted(KIB), 256);
  });

  it('are all taken for a minute from a route of 1,500 payouts a second, also twice for each payout', () => {
    const { limits, pass } = limitsAt();
    for (let second = 0; second < 60; second += 1) {
      for (let index = 0; index < 2 * BUSY; index += 1) {
        limits.admit('mtn-zm', '203.0.113.1', BUSY);
        limits.admitBytes('mtn-zm', MTN_BODY_BYTES, BUSY);
      }
      pass(1_000);
    }
  });

  it('are limited however much it pays out', () => {
    const { limits, pass } = limitsAt();
    for (const payouts of [10_000, 1_000_000, Number.POSITIVE_INFINITY]) {
      pass(60_000);
      const calls = countAdmitted(200_000, () => limits.admit('r', '203.0.113.1', payouts));
      const bytes = countAdmitted(200_000, () => limits.admitBytes('r', KIB, payouts));
      assert.deepEqual([calls, bytes], [80_000, 40_000]);
    }
  });

  it('are limited by what it pays out now, once that has changed', () => {
    const { limits, pass } = limitsAt();
    const admitted = (payouts: number) =>
      countAdmitted(100_000, () => limits.admit('mtn-zm', '203.0.113.1', payouts));
    assert.equal(admitted(BUSY), 12_000);
    pass(1_000);
    assert.equal(admitted(SMALL), 2_000, 'what it gained before, up to the burst of now');
    pass(1_000);
    assert.equal(admitted(SMALL), 1_000);
    assert.equal(admitted(BUSY), 0, 'a change gives nothing');
    pass(1_000);
    assert.equal(admitted(BUSY), 6_000);
  });
});
