import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergePages } from './merge-pages.ts';
import type { Queryable } from './session.ts';

const rowsByDatabase = new Map<Queryable, readonly number[]>();
function databaseWith(rows: readonly number[]): Queryable {
  const database: Queryable = { query: () => Promise.reject(new Error('not asked in SQL')) };
  rowsByDatabase.set(database, rows);
  return database;
}

const newestFirst = (a: number, b: number) => b - a;
const read = async (database: Queryable, max: number) =>
  (rowsByDatabase.get(database) ?? []).slice(0, max);

it('merges what each database has, in the order of the list, and knows whether there is more', async () => {
  const databases = [databaseWith([9, 6, 3]), databaseWith([8, 7, 1]), databaseWith([])];
  const page = (limit: number) => mergePages(databases, { limit, compare: newestFirst, read });
  assert.deepEqual(await page(4), { items: [9, 8, 7, 6], more: true });
  assert.deepEqual(await page(5), { items: [9, 8, 7, 6, 3], more: true });
  assert.deepEqual(await page(6), { items: [9, 8, 7, 6, 3, 1], more: false });
  assert.deepEqual(await mergePages([], { limit: 5, compare: newestFirst, read }), {
    items: [],
    more: false,
  });
});
