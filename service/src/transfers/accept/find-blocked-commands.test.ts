import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { putPolicy } from '../../../test/put-policy.ts';
import { prepareTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import {
  createTestDatabase,
  openTestPool,
  type TestDatabase,
} from '../../../test/test-database.ts';
import { createControlSnapshots } from '../../controls/control-snapshots.ts';
import type { Database } from '../../postgres/database.ts';
import { findBlockedInitiations, keysOfInitiation } from './find-blocked-commands.ts';
import type { PreparedTransfer } from './prepared-transfer.ts';

/** Needs the past, so the book is locked before it is judged. */
const RULE = {
  name: 'limit',
  when: { count: { by: 'wallet', window: 'PT1H', above: 5 } },
  require: { refuse: true },
};

let test: TestDatabase;
let others: Database;
before(async () => {
  test = await createTestDatabase();
  others = openTestPool(test.serviceUrl);
});
after(async () => {
  await others.close();
  await test.drop();
});

async function prepareInNewBook(): Promise<PreparedTransfer> {
  const book = await createTestBook(test.database);
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  await putPolicy(test.database, book, [RULE]);
  const controls = await createControlSnapshots(test).findCurrent(book.id);
  return { ...prepareTransfer(book, { walletId }), controls };
}

/** Runs the work while another transaction has the rows locked. */
async function whileLocked<T>(text: string, values: readonly unknown[], work: () => Promise<T>) {
  return others.transaction(async (tx) => {
    await tx.query({ name: '', text }, values);
    return work();
  });
}

describe('the new transfers that others keep waiting', () => {
  const LOCK_BOOK = 'select from book_controls where book_id = $1 for update';
  const LOCK_WALLET = 'select from wallets where book_id = $1 for update';

  for (const [what, lock] of [
    ['book', LOCK_BOOK],
    ['wallet', LOCK_WALLET],
  ] as const) {
    it(`are those of a locked ${what}, and no others`, async () => {
      const [waiting, free] = [await prepareInNewBook(), await prepareInNewBook()];
      const blocked = await whileLocked(lock, [waiting.book.id], () =>
        findBlockedInitiations(test.database, [waiting, free]),
      );
      const isBlocked = (one: PreparedTransfer) =>
        keysOfInitiation(one).some((key) => blocked.has(key));
      assert.deepEqual([isBlocked(waiting), isBlocked(free)], [true, false]);
    });
  }

  it('are none when nothing is locked', async () => {
    const group = [await prepareInNewBook(), await prepareInNewBook()];
    assert.equal((await findBlockedInitiations(test.database, group)).size, 0);
  });

  it('are none of a book without controls that need its lock, though its row is locked', async () => {
    const prepared = { ...(await prepareInNewBook()), controls: null };
    const blocked = await whileLocked(LOCK_BOOK, [prepared.book.id], () =>
      findBlockedInitiations(test.database, [prepared]),
    );
    assert.equal(blocked.size, 0);
  });
});
