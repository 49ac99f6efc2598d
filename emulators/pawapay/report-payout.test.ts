import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pendingWord } from './report-payout.ts';

describe('the word for a payout on its way', () => {
  const wordsOf = (pendingMs: number, agesMs: readonly number[]) =>
    agesMs.map((ageMs) => pendingWord({ ageMs, pendingMs }));

  it('is first ACCEPTED, then PROCESSING, at last IN_RECONCILIATION', () => {
    assert.deepEqual(wordsOf(1_000, [0, 249, 250, 749, 750, 999]), [
      'ACCEPTED',
      'ACCEPTED',
      'PROCESSING',
      'PROCESSING',
      'IN_RECONCILIATION',
      'IN_RECONCILIATION',
    ]);
  });

  it('does not wait for ever to change, even when the payout does', () => {
    assert.deepEqual(wordsOf(1e12, [0, 999, 1_000, 59_999, 60_000]), [
      'ACCEPTED',
      'ACCEPTED',
      'PROCESSING',
      'PROCESSING',
      'IN_RECONCILIATION',
    ]);
  });
});
