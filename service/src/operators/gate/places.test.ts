import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { createPlaces } from './places.ts';

function fill(places: ReturnType<typeof createPlaces>, bookId: string): number {
  let taken = 0;
  while (places.reserve(bookId)) taken += 1;
  return taken;
}

it('gives one book alone half of the places, and leaves room for a newcomer', () => {
  const places = createPlaces(() => 100);
  assert.equal(fill(places, 'a'), 50);
  assert.equal(fill(places, 'b'), 25);
  assert.equal(places.reserve('c'), true);
});

it('never has more in use than there are, and comes back to empty', () => {
  const book = fc.constantFrom('a', 'b', 'c');
  const steps = fc.array(fc.tuple(fc.boolean(), book), { maxLength: 300 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 30 }), (moves, capacity) => {
      const places = createPlaces(() => capacity);
      const held: string[] = [];
      for (const [takes, bookId] of moves) {
        if (takes && places.reserve(bookId)) held.push(bookId);
        else if (!takes && held.length > 0) places.release(held.pop() ?? '');
        assert.equal(places.used(), held.length);
        assert.ok(places.used() <= capacity);
      }
      for (const bookId of held) places.release(bookId);
      assert.equal(places.free(), capacity);
    }),
  );
});

it('notices a place that is released twice', () => {
  const places = createPlaces(() => 2);
  places.take('a');
  places.release('a');
  assert.throws(() => places.release('a'));
});
