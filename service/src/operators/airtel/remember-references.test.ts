import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rememberReferences } from './remember-references.ts';

it('the latest references are remembered, and never more than were asked for', () => {
  const remembered = rememberReferences(2);
  remembered.add('a');
  remembered.add('b');
  remembered.add('a');
  remembered.add('c');
  assert.deepEqual(
    ['a', 'b', 'c'].map((each) => remembered.has(each)),
    [true, false, true],
  );
});
