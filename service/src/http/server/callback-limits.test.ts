import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Refusal } from '../../domain/refusal.ts';
import { CallbackLimits } from './callback-limits.ts';

const BURST = 2_000;
const PER_SECOND = 1_000;

describe('calls of a route', () => {
  it('are limited per address and per route', () => {
    let nowMs = 0;
    const limits = new CallbackLimits(() => nowMs);
    const admitted = (route: string, address: string): number => {
      for (let count = 0; count <= 2 * BURST; count += 1) {
        try {
          limits.admit(route, address);
        } catch (error) {
          assert.ok(error instanceof Refusal && error.code === 'RATE_LIMITED');
          return count;
        }
      }
      return Number.POSITIVE_INFINITY;
    };
    assert.equal(admitted('mtn-zm', '203.0.113.1'), BURST);
    assert.equal(admitted('mtn-zm', '203.0.113.1'), 0);
    assert.equal(admitted('mtn-zm', '203.0.113.2'), BURST, 'another address has its own');
    assert.equal(admitted('airtel-zm', '203.0.113.1'), BURST, 'another route has its own');
    nowMs += 1_000;
    assert.equal(admitted('mtn-zm', '203.0.113.1'), PER_SECOND);
  });
});
