import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readTransactionId } from './transaction-id.ts';

it('accepts a plausible id, and nothing that the column could not store', () => {
  assert.equal(readTransactionId(' 363440463 '), '363440463');
  assert.equal(readTransactionId('x'.repeat(100)), 'x'.repeat(100));
  for (const text of [undefined, '', '  ', 'x'.repeat(101), 'a\nb', 'a\0b', 'é']) {
    assert.equal(readTransactionId(text), null);
  }
});
