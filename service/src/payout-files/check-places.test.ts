import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCheckPlaces } from './check-places.ts';

it('cells share two places, and all are woken when a check ends', () => {
  const places = createCheckPlaces();
  const woken: string[] = [];
  for (const cell of ['main', 'east']) places.onFree(() => woken.push(cell));
  assert.deepEqual([places.take(), places.take(), places.take()], [true, true, false]);
  places.giveBack();
  assert.deepEqual(woken, [], 'a place that was not used wakes none: that would go round for ever');
  assert.deepEqual([places.take(), places.take()], [true, false]);
  places.free();
  assert.deepEqual(woken, ['main', 'east']);
  assert.equal(places.take(), true);
});
