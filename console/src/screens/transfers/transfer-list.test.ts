import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Transfer, TransferState } from '../../api/types.ts';
import { referencesToRefresh, startList } from './transfer-list.ts';

const row = (reference: string, state: TransferState) =>
  ({ id: reference, reference, state, currency: 'ZMW', amount: 1 }) as Transfer;

describe('a list that missed news', () => {
  const list = startList(
    { items: [row('C', 'succeeded'), row('B', 'queued'), row('A', 'failed')], nextCursor: null },
    0,
  );

  it('asks about finished rows too: a paid one may have been reversed', () => {
    assert.deepEqual(referencesToRefresh(list, 10), ['B', 'C', 'A']);
  });

  it('asks about unfinished rows first when there are too many', () => {
    assert.deepEqual(referencesToRefresh(list, 2), ['B', 'C']);
  });
});
