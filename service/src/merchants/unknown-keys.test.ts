import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnknownKeys } from './unknown-keys.ts';

describe('unknown keys', () => {
  it('are remembered for half a second from the last question', () => {
    const unknown = new UnknownKeys();
    assert.equal(unknown.has('a', 0), false);
    unknown.add('a', 1_000);
    assert.equal(unknown.has('a', 1_500), true);
    assert.equal(unknown.has('a', 1_501), false);
    unknown.add('a', 1_501);
    assert.equal(unknown.has('a', 2_001), true);
  });

  it('are 10,000 at most, and the oldest are forgotten', () => {
    const unknown = new UnknownKeys();
    for (let index = 0; index < 30_000; index += 1) unknown.add(`key ${index}`, 0);
    assert.equal(unknown.size, 10_000);
    assert.equal(unknown.has('key 19999', 0), false);
    assert.equal(unknown.has('key 20000', 0), true);
  });
});
