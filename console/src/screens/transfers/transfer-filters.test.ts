import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toQuery } from './transfer-filters.ts';

// 01:30 of the next day in Lusaka.
const clock = { now: new Date('2026-10-30T23:30:00Z'), timeZone: 'Africa/Lusaka' };

describe('the filters of the list', () => {
  it('mean days of the reader, and days of UTC where they say so', () => {
    assert.deepEqual(toQuery({ created: 'today' }, clock), {
      from: '2026-10-30T22:00:00.000Z',
      to: '2026-10-31T22:00:00.000Z',
    });
    assert.deepEqual(toQuery({ created: 'today-utc' }, clock), {
      from: '2026-10-30T00:00:00.000Z',
      to: '2026-10-31T00:00:00.000Z',
    });
  });

  it('take amounts as people write them, and never another one', () => {
    assert.deepEqual(toQuery({ amountFrom: '1,250.5' }, clock), { amountFrom: '1250.50' });
    assert.deepEqual(toQuery({ amountTo: '12,50' }, clock), { amountTo: '12,50' });
  });
});
