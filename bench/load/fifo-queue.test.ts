import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FifoQueue } from './fifo-queue.ts';

it('returns every item once, in order, however long the queue gets', () => {
  const line = new FifoQueue<number>();
  const taken: number[] = [];
  let next = 0;
  for (let turn = 0; turn < 10_000; turn += 1) {
    for (let count = turn % 3; count > 0; count -= 1) line.push(next++);
    const item = line.take();
    if (item !== undefined) taken.push(item);
    assert.equal(line.size, next - taken.length);
  }
  while (line.size > 0) taken.push(line.take() ?? Number.NaN);
  assert.deepEqual(
    taken,
    Array.from({ length: next }, (_, index) => index),
  );
  assert.equal(line.take(), undefined);
});
