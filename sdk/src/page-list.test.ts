import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Page, PageList } from './page-list.ts';

/** Pages by their cursor, and the cursors that were asked for. */
function listOf(
  pages: Readonly<Record<string, Page<number>>>,
  { start, itemsMin }: Readonly<{ start?: string; itemsMin?: number }> = {},
) {
  const asked: string[] = [];
  const list = new PageList<number>(
    async (cursor) => {
      asked.push(cursor ?? 'first');
      return pages[cursor ?? 'first'] ?? { items: [], nextCursor: null };
    },
    { start, itemsMin },
  );
  return { list, asked };
}

const THREE = {
  first: { items: [1, 2], nextCursor: 'b' },
  b: { items: [3], nextCursor: 'c' },
  c: { items: [4, 5], nextCursor: null },
};

describe('PageList', () => {
  it('goes through every item of every page, in order', async () => {
    const { list, asked } = listOf(THREE);
    const items: number[] = [];
    for await (const item of list) items.push(item);
    assert.deepEqual(items, [1, 2, 3, 4, 5]);
    assert.deepEqual(asked, ['first', 'b', 'c']);
  });

  it('reads no page before it is needed, and none after the loop is left', async () => {
    const { list, asked } = listOf(THREE);
    assert.deepEqual(asked, []);
    for await (const item of list) if (item === 2) break;
    assert.deepEqual(asked, ['first']);
  });

  it('gives one page, from the cursor', async () => {
    const { list, asked } = listOf(THREE, { start: 'b' });
    assert.deepEqual(await list.page(), THREE.b);
    assert.deepEqual(asked, ['b']);
  });

  it('gives page after page, with the cursor to keep', async () => {
    const cursors: (string | null)[] = [];
    for await (const { nextCursor } of listOf(THREE).list.pages()) cursors.push(nextCursor);
    assert.deepEqual(cursors, ['b', 'c', null]);
  });

  it('goes on after an empty page with a new cursor', async () => {
    const { list, asked } = listOf({
      first: { items: [], nextCursor: 'b' },
      b: { items: [], nextCursor: 'c' },
      c: { items: [1], nextCursor: 'd' },
      d: { items: [], nextCursor: 'd' },
    });
    const items: number[] = [];
    for await (const item of list) items.push(item);
    assert.deepEqual([items, asked], [[1], ['first', 'b', 'c', 'd']]);
  });

  it('ends at an empty page, whose cursor is for later', async () => {
    const { list, asked } = listOf({
      first: { items: [1], nextCursor: 'z' },
      z: { items: [], nextCursor: 'z' },
    });
    const items: number[] = [];
    for await (const item of list) items.push(item);
    assert.deepEqual([items, asked], [[1], ['first', 'z']]);
  });

  it('ends at a page with too few items, if that is its end', async () => {
    const { list, asked } = listOf(THREE, { itemsMin: 2 });
    const items: number[] = [];
    for await (const item of list) items.push(item);
    assert.deepEqual(
      [items, asked],
      [
        [1, 2, 3],
        ['first', 'b'],
      ],
    );
  });

  it('does not go round in circles', async () => {
    const { list } = listOf({
      first: { items: [1], nextCursor: 'a' },
      a: { items: [2], nextCursor: 'a' },
    });
    await assert.rejects(
      async () => {
        for await (const _ of list);
      },
      { code: 'UNEXPECTED_ANSWER' },
    );
  });
});
