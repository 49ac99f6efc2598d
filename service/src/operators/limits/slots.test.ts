import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createSlots, type HeldSlot, type Slots } from './slots.ts';

function slotsAt(capacity: () => number) {
  let nowMs = 0;
  let late = 0;
  const slots = createSlots(capacity, { monotonicMs: () => nowMs, onLate: () => (late += 1) });
  return { slots, pass: (ms: number) => (nowMs += ms), late: () => late };
}

/** Holds slots for books of a cell until there is none. */
function holdAll(slots: Slots, cell: string): readonly HeldSlot[] {
  const held: HeldSlot[] = [];
  for (let book = 0; slots.free() > 0; book += 1) {
    const slot = slots.hold(`${cell} ${book}`, cell);
    assert.ok(slot !== undefined);
    held.push(slot);
  }
  return held;
}

function fill(slots: Slots, bookId: string): number {
  let taken = 0;
  while (slots.reserve(bookId)) taken += 1;
  return taken;
}

it('gives a single book half of the slots, and leaves room for another', () => {
  const { slots } = slotsAt(() => 100);
  assert.equal(fill(slots, 'a'), 50);
  assert.equal(fill(slots, 'b'), 25);
  assert.equal(slots.reserve('c'), true);
});

it('never exceeds its slots, and returns to empty', () => {
  const book = fc.constantFrom('a', 'b', 'c');
  const steps = fc.array(fc.tuple(fc.boolean(), book), { maxLength: 300 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (moves, capacity) => {
      const { slots } = slotsAt(() => capacity);
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
  const { slots } = slotsAt(() => 2);
  slots.holdClaimed('a', 'main').use();
  slots.release('a');
  assert.throws(() => slots.release('a'));
});

it('takes slots back from a cell that does not store its transfers, for others', () => {
  const { slots, pass, late } = slotsAt(() => 4);
  const [first, second, third, last] = holdAll(slots, 'far');
  assert.equal(slots.hold('b', 'main'), undefined, 'all are held');
  pass(299);
  slots.hold('b', 'main');
  assert.equal(slots.free(), 0, 'a commit may take as long');
  pass(1);
  assert.equal(slots.free(), 0, 'there is one cell alone');
  slots.holdClaimed('b', 'main').giveBack();
  assert.equal(slots.free(), 4);
  assert.equal(late(), 4);
  assert.equal(slots.hold('far 9', 'far'), undefined, 'before what is late is stored');
  const near = slots.hold('b', 'main');
  assert.ok(near !== undefined, 'others get them');
  first?.use();
  assert.equal(slots.used(), 2, 'what was stored at last takes one');
  for (const slot of [second, third, last]) slot?.giveBack();
  near.use();
  slots.release('b');
  slots.release('far 0');
  assert.equal(slots.free(), 4);
  assert.ok(slots.hold('far 9', 'far') !== undefined, 'nothing is late any more');
});

it('takes none back while there is one cell', () => {
  const { slots, pass } = slotsAt(() => 4);
  holdAll(slots, 'main');
  pass(60_000);
  assert.equal(slots.free(), 0);
});
