import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isInSendWindow, LEASE_MS, startLease } from './lease.ts';

const BEGAN_MS = Date.UTC(2026, 0, 5);

/** Whether a transfer may be sent after this much time by each clock. */
function maySend(passed: Readonly<{ monotonicMs: number; wallMs: number }>): boolean {
  const at = (monotonicMs: number, wallMs: number) => ({
    monotonicMs: () => monotonicMs,
    now: () => new Date(BEGAN_MS + wallMs),
  });
  return isInSendWindow(at(500 + passed.monotonicMs, passed.wallMs), startLease(at(500, 0)));
}

it('lets a transfer be sent in the first part of its lease', () => {
  assert.equal(maySend({ monotonicMs: 0, wallMs: 0 }), true);
  assert.equal(maySend({ monotonicMs: LEASE_MS / 2, wallMs: LEASE_MS / 2 }), true);
  assert.equal(maySend({ monotonicMs: LEASE_MS - 5_000, wallMs: LEASE_MS - 5_000 }), false);
});

it('lets nothing be sent after a suspension, during which the monotonic clock stood still', () => {
  assert.equal(maySend({ monotonicMs: 10, wallMs: 3_600_000 }), false);
});

it('lets nothing be sent when the wall clock was set back', () => {
  assert.equal(maySend({ monotonicMs: 10, wallMs: -1 }), false);
  assert.equal(maySend({ monotonicMs: 3_600_000, wallMs: 0 }), false);
});
