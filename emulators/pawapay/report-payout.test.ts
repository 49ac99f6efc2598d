import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pendingWord } from './report-payout.ts';

describe('the status of a payout that has not ended', () => {
  const wordsOf = (pendingMs: number, agesMs: readonly number[]) =>
    agesMs.map((ageMs) => pendingWord({ ageMs, pendingMs }));

  it('is ACCEPTED, then PROCESSING, then IN_RECONCILIATION', () => {
    assert.deepEqual(wordsOf(1_000, [0, 249, 250, 749, 750, 999]), [
      'ACCEPTED',
      'ACCEPTED',
      'PROCESSING',
      'PROCESSING',
      'IN_RECONCILIATION',
      'IN_RECONCILIATION',
    ]);
  });

  it('changes even when the payout is pending for ever', () => {
    assert.deepEqual(wordsOf(1e12, [0, 999, 1_000, 59_999, 60_000]), [
      'ACCEPTED',
      'ACCEPTED',
      'PROCESSING',
      'PROCESSING',
      'IN_RECONCILIATION',
    ]);
  });
});
