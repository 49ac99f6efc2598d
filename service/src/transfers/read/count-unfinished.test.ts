import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { countUnfinished } from './count-unfinished.ts';

const HOUR_S = 3_600;

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const run = (text: string, values: readonly unknown[]) =>
  test.database.query({ name: '', text }, values);

const ageOfQueued = async () => {
  const { states } = await countUnfinished(test.database);
  return states.find(({ state }) => state === 'queued')?.ageSeconds ?? assert.fail();
};

it('a payout is as old as its approval, also when it was tried and is queued again', async () => {
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const order = { book, walletId, leaseOwner: randomUUID(), reserved: false };
  const { id } = await storeTestTransfer(test.database, order);
  const needed = JSON.stringify([{ rule: 'big', count: 1, of: ['approver'] }]);
  await run(
    `update transfers set approvals_needed = $2::text::jsonb, created_at = now() - interval '6 days' where id = $1`,
    [id, needed],
  );
  for (const [seq, from, to, hours] of [
    [10, 'awaiting_approval', 'awaiting_approval', 4],
    [11, 'awaiting_approval', 'queued', 2],
    [12, 'queued', 'submitting', 1],
    [13, 'submitting', 'queued', 0],
  ]) {
    await run(
      `insert into events (book_id, subject_id, seq, from_state, to_state, cause, actor, created_at)
       values ($1, $2, $3, $4, $5, 'test', 'test', now() - $6 * interval '1 hour')`,
      [book.id, id, seq, from, to, hours],
    );
  }
  const age = await ageOfQueued();
  assert.ok(age >= 2 * HOUR_S && age < 3 * HOUR_S, `${age} s`);
});
