import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findRest } from './find-rest.ts';

it('knows that the service stops at 20, and where the others are listed', () => {
  const searched = { as: ['reference', 'receipt', 'phone'] as const, text: '0977433571' };
  const found = (count: number) => ({ items: Array.from({ length: count }), searched });
  assert.equal(findRest(found(19)), undefined);
  assert.deepEqual(findRest(found(20)), { phone: '0977433571' });
  assert.equal(findRest({ ...found(20), more: false }), undefined);
  const reference = { as: ['reference'] as const, text: 'salary' };
  assert.deepEqual(findRest({ ...found(20), searched: reference }), {});
});
