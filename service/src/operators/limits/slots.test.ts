import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createSlots } from './slots.ts';

function fill(slots: ReturnType<typeof createSlots>, bookId: string): number {
  let taken = 0;
  while (slots.reserve(bookId)) taken += 1;
  return taken;
}

it('gives a single book half of the slots, and leaves room for another', () => {
  const slots = createSlots(() => 100);
  assert.equal(fill(slots, 'a'), 50);
  assert.equal(fill(slots, 'b'), 25);
  assert.equal(slots.reserve('c'), true);
});

it('never exceeds its slots, and returns to empty', () => {
  const book = fc.constantFrom('a', 'b', 'c');
  const steps = fc.array(fc.tuple(fc.boolean(), book), { maxLength: 300 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (moves, capacity) => {
      const slots = createSlots(() => capacity);
      const held: string[] = [];
      for (const [takes, bookId] of moves) {
        if (takes && slots.reserve(bookId)) held.push(bookId);
        else if (!takes && held.length > 0) slots.release(held.pop() ?? '');
        assert.equal(slots.used(), held.length);
        assert.ok(slots.used() <= capacity);
      }
      for (const bookId of held) slots.release(bookId);
      assert.equal(slots.free(), capacity);
    }),
  );
});

it('throws if a slot is released twice', () => {
  const slots = createSlots(() => 2);
  slots.take('a');
  slots.release('a');
  assert.throws(() => slots.release('a'));
});
