import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instantOf, periodOf } from './zoned-time.ts';

const iso = (local: string, timeZone: string) => instantOf(local, timeZone)?.toISOString();

describe('instantOf', () => {
  it('reads what people type in their own zone', () => {
    assert.equal(iso('2026-10-30', 'Africa/Lusaka'), '2026-10-29T22:00:00.000Z');
    assert.equal(iso('2026-10-30T14:05', 'Africa/Lagos'), '2026-10-30T13:05:00.000Z');
    assert.equal(iso('2026-10-30T14:05', 'UTC'), '2026-10-30T14:05:00.000Z');
    assert.equal(iso('next week', 'UTC'), undefined);
  });

  it('is right on both sides of a change of the clock', () => {
    assert.equal(iso('2026-10-25', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z');
    assert.equal(iso('2026-10-26', 'Europe/Berlin'), '2026-10-25T23:00:00.000Z');
  });
});

describe('periodOf', () => {
  it('includes the last day', () => {
    assert.deepEqual(periodOf({ from: '2026-10-01', to: '2026-10-31' }, 'Africa/Lusaka'), {
      from: '2026-09-30T22:00:00.000Z',
      to: '2026-10-31T22:00:00.000Z',
    });
    assert.deepEqual(periodOf({}, 'UTC'), { from: undefined, to: undefined });
  });
});
