import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecentItems } from './recent-items.ts';

describe('recent items', () => {
  it('keeps the last items, oldest first', () => {
    const ring = createRecentItems<number>(3);
    for (let item = 1; item <= 20; item += 1) {
      ring.add(item);
      const first = Math.max(1, item - 2);
      assert.deepEqual(
        ring.all(),
        Array.from({ length: item - first + 1 }, (_, i) => first + i),
      );
    }
  });
});
