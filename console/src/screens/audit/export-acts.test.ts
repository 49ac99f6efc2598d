import assert from 'node:assert/strict';
import { it } from 'node:test';
import { minute } from '../../../test/staff-dossier.ts';
import type { Act } from '../../api/staff-types.ts';
import { exportActs } from './export-acts.ts';

const act: Act = {
  id: 'act',
  at: minute(0),
  actor: { kind: 'person', id: 'chanda', name: 'Chanda' },
  kind: 'WALLET_FUNDED',
  subject: 'main',
  merchant: null,
  bookId: null,
  reason: null,
  before: null,
  after: null,
};

it('makes no file without the acts of a cell that did not answer', async () => {
  const pages = [
    { items: [act], nextCursor: 'older', unansweredCells: [] },
    { items: [act], nextCursor: null, unansweredCells: ['north'] },
  ];
  const read = async () => pages.shift() ?? { items: [], nextCursor: null };
  const exported = await exportActs({ read, query: {}, onRows: () => undefined });
  assert.deepEqual(exported, { missing: ['north'] });
});

it('reads every page', async () => {
  const cursors: unknown[] = [];
  const read = async ({ cursor }: Readonly<{ cursor?: string | number | undefined }>) => {
    cursors.push(cursor);
    return { items: [act], nextCursor: cursor === undefined ? 'older' : null };
  };
  const exported = await exportActs({ read, query: {}, onRows: () => undefined });
  assert.deepEqual(cursors, [undefined, 'older']);
  assert.ok('csv' in exported);
  assert.deepEqual([exported.rows, exported.isWhole], [2, true]);
});

it('quotes what would end a cell, and puts an apostrophe before what a spreadsheet would run', async () => {
  const items = [{ ...act, subject: ' =1', reason: 'paid, twice', after: { name: 'Chanda' } }];
  const read = async () => ({ items, nextCursor: null });
  const exported = await exportActs({ read, query: {}, onRows: () => undefined });
  assert.ok('csv' in exported);
  const cells = `act,${act.at},person,chanda,Chanda,WALLET_FUNDED,' =1,,,,"paid, twice",,"{""name"":""Chanda""}"`;
  assert.equal(exported.csv.split('\r\n')[1], cells);
});
