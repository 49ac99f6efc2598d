import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { findWallet, listWallets } from './read-wallets.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('finds a wallet in its own book only', async () => {
  const { id: bookId } = await createTestBook(test.database);
  const other = await createTestBook(test.database);
  const id = await createTestWallet(test.database, { bookId, fundedMinor: 12_345n });
  assert.deepEqual(await findWallet(test.database, { bookId, id }), {
    id,
    currency: 'ZMW',
    availableMinor: 12_345n,
    heldMinor: 0n,
    status: 'active',
  });
  assert.equal(await findWallet(test.database, { bookId: other.id, id }), undefined);
});

it('lists the wallets of the book page by page, each once', async () => {
  const { id: bookId } = await createTestBook(test.database);
  const other = await createTestBook(test.database);
  await createTestWallet(test.database, { bookId: other.id });
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.push(await createTestWallet(test.database, { bookId, currency: 'NGN' }));
  }
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const page = await listWallets(test.database, { bookId, limit: 2, before });
    seen.push(...page.items.map(({ id }) => id));
    before = page.nextCursor;
  } while (before !== null);
  assert.deepEqual(seen, ids.sort().toReversed());
});
