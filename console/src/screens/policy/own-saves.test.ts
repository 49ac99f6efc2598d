import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createOwnSaves } from './own-saves.ts';

it('follows the own saves from what was read, also when one takes another back', () => {
  const saves = createOwnSaves();
  assert.equal(saves.lastSince('a'), 'a');
  saves.add('a', 'b');
  saves.add('b', 'a');
  saves.add('a', 'c');
  assert.equal(saves.lastSince('a'), 'c');
  assert.equal(saves.lastSince('b'), 'c');
});

it('does not go past a change of another person', () => {
  const saves = createOwnSaves();
  saves.add('a', 'b');
  // Another person made “x” of “b”.
  assert.equal(saves.lastSince('x'), 'x');
  saves.add('x', 'y');
  assert.equal(saves.lastSince('a'), 'a', 'what was read before it is refused by the service');
  saves.clear();
  assert.equal(saves.lastSince('x'), 'x');
});
