import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { CheckWaiter } from './check-waiter.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const run = (text: string, values: readonly unknown[]) =>
  test.database.query({ name: '', text }, values);

/** A file that is checked when the test says so. */
async function storeChecking(bookId: string): Promise<Readonly<{ bookId: string; id: string }>> {
  const id = randomUUID();
  await run(
    `insert into payout_files (book_id, id, name, source, state, made_by_name, created_at, updated_at, next_action_at)
     values ($1, $2, 'Test', 'file', 'checking', 'Test', now(), now(), now())`,
    [bookId, id],
  );
  return { bookId, id };
}

/** Time goes on only by what is waited for. */
function createWaiter() {
  const waits: number[] = [];
  let nowMs = 0;
  const waiter = new CheckWaiter({
    database: test.database,
    monotonicMs: () => nowMs,
    async wait(ms) {
      waits.push(ms);
      nowMs += ms;
      await setImmediate();
    },
  });
  return { waiter, waits };
}

const never = () => false;

describe('a call that waits for a check', () => {
  it('looks closely for a second, then twice a second, and gives up after 30', async () => {
    const book = await createTestBook(test.database);
    const { waiter, waits } = createWaiter();
    const found = await waiter.wait(await storeChecking(book.id), never);
    assert.equal(found.state, 'checking');
    assert.deepEqual(waits, [
      ...Array.from({ length: 20 }, () => 50),
      ...Array.from({ length: 58 }, () => 500),
    ]);
  });

  it('is one of four of its book: the others are answered at once', async () => {
    const book = await createTestBook(test.database);
    const other = await createTestBook(test.database);
    const file = await storeChecking(book.id);
    const { waiter } = createWaiter();
    let isOver = false;
    const waiting = Array.from({ length: 4 }, () => waiter.wait(file, () => isOver));
    const fifth = await waiter.wait(file, () => assert.fail('the fifth waits'));
    assert.equal(fifth.state, 'checking');
    // Those of another book have their own places.
    const ofOther = await storeChecking(other.id);
    await run(`update payout_files set state = 'draft', next_action_at = null where id = $1`, [
      ofOther.id,
    ]);
    assert.equal((await waiter.wait(ofOther, never)).state, 'draft');
    isOver = true;
    for (const { state } of await Promise.all(waiting)) assert.equal(state, 'checking');
    // Their places are free again.
    await run(`update payout_files set state = 'draft', next_action_at = null where id = $1`, [
      file.id,
    ]);
    assert.equal((await waiter.wait(file, never)).state, 'draft');
  });

  it('ends when its client is gone', async () => {
    const book = await createTestBook(test.database);
    const { waiter, waits } = createWaiter();
    const found = await waiter.wait(await storeChecking(book.id), () => waits.length >= 3);
    assert.deepEqual([found.state, waits.length], ['checking', 3]);
  });
});
