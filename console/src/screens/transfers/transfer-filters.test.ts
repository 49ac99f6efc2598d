import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toQuery } from './transfer-filters.ts';

// 01:30 of the next day in Lusaka.
const clock = { now: new Date('2026-10-30T23:30:00Z'), timeZone: 'Africa/Lusaka' };

describe('the filters of the list', () => {
  it('take amounts as people write them, and never another one', () => {
    assert.deepEqual(toQuery({ amountFrom: '1,250.5' }, clock), { amountFrom: '1250.50' });
    assert.deepEqual(toQuery({ amountTo: '12,50' }, clock), { amountTo: '12,50' });
  });
});
