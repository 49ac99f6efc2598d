import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ApprovalItem } from '../api/control-types.ts';
import { askApprovals } from './ask-approvals.ts';

const ITEM = { id: 'a' } as ApprovalItem;
const QUERY = { view: 'mine', limit: 100 } as const;

it('follows pages that hold nothing for the person', async () => {
  const asked: (string | undefined)[] = [];
  const page = await askApprovals(async ({ cursor }) => {
    asked.push(cursor);
    return cursor === '2'
      ? { items: [ITEM], nextCursor: '3' }
      : { items: [], nextCursor: cursor === '1' ? '2' : '1' };
  }, QUERY);
  assert.deepEqual(asked, [undefined, '1', '2']);
  assert.deepEqual(page, { items: [ITEM], nextCursor: '3' });
});

it('ends with the last page, and does not ask for ever', async () => {
  const last = await askApprovals(async () => ({ items: [], nextCursor: null }), QUERY);
  assert.equal(last.nextCursor, null);
  let asked = 0;
  await askApprovals(async () => {
    asked += 1;
    return { items: [], nextCursor: 'more' };
  }, QUERY);
  assert.equal(asked, 20);
});
