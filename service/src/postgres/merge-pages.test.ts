import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergePages } from './merge-pages.ts';

const newestFirst = (a: number, b: number) => b - a;

it('merges what each part has, in the order of the list, and knows whether there is more', () => {
  const parts = [[9, 6, 3], [8, 7, 1], []];
  const page = (limit: number) =>
    mergePages(
      parts.map((rows) => rows.slice(0, limit + 1)),
      { limit, compare: newestFirst },
    );
  assert.deepEqual(page(4), { items: [9, 8, 7, 6], more: true });
  assert.deepEqual(page(5), { items: [9, 8, 7, 6, 3], more: true });
  assert.deepEqual(page(6), { items: [9, 8, 7, 6, 3, 1], more: false });
  assert.deepEqual(mergePages([], { limit: 5, compare: newestFirst }), { items: [], more: false });
});
