import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

it('lets an owner with one item pass an owner with thousands', () => {
  const queue = createFairQueue<string>();
  for (let n = 0; n < 5_000; n += 1) queue.push('big', `big ${n}`);
  queue.push('small', 'small 0');
  assert.ok(queue.take(10).includes('small 0'));
  assert.equal(queue.size(), 4_991);
  assert.deepEqual([queue.sizeOf('big'), queue.sizeOf('small')], [4_991, 0]);
});

it('keeps each owner in order, loses nothing and never exceeds the maximum', () => {
  const pushes = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat()), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(pushes, fc.integer({ min: 1, max: 20 }), (items, max) => {
      const queue = createFairQueue<{ owner: string; nth: number }>();
      items.forEach(([owner], nth) => queue.push(owner, { owner, nth }));
      const taken: { owner: string; nth: number }[] = [];
      while (queue.size() > 0) {
        const group = queue.take(max);
        assert.ok(group.length > 0 && group.length <= max);
        taken.push(...group);
      }
      assert.equal(taken.length, items.length);
      for (const owner of ['a', 'b', 'c', 'd']) {
        const order = taken.filter((item) => item.owner === owner).map((item) => item.nth);
        assert.deepEqual(
          order,
          [...order].sort((x, y) => x - y),
        );
      }
    }),
  );
});

it('passes over owners who may not have one now, and lets the others take turns', () => {
  const queue = createFairQueue<string>();
  for (const [owner, item] of ['a1', 'a2', 'b1', 'c1', 'b2'].map((name) => [
    name.charAt(0),
    name,
  ])) {
    queue.push(owner ?? '', item ?? '');
  }
  const take = (...owners: string[]) => queue.takeOne((owner) => owners.includes(owner));
  assert.deepEqual(
    [take('b', 'c'), take('b', 'c'), take('b', 'c'), take('b', 'c')],
    ['b1', 'c1', 'b2', undefined],
  );
  assert.deepEqual([take('a'), queue.size(), take('a'), queue.size()], ['a1', 1, 'a2', 0]);
});
