import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepList } from './keep-list.ts';

it('keeps the rows of a list for another filter, and never one thing under the address of another', () => {
  const rows = { items: [] };
  const list = { queryKey: ['staff', '/doubts', { mode: 'live' }] };
  assert.equal(keepList('/doubts')(rows, list), rows);
  const one = { queryKey: ['staff', '/transfers/a', undefined] };
  assert.equal(keepList('/transfers/b')({ id: 'a' }, one), undefined);
  assert.equal(keepList('/doubts')(undefined, undefined), undefined);
});
