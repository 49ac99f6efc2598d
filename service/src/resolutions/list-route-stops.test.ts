import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { countQueued } from './list-route-stops.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function storeQueued() {
  const book = await createTestBook(test.database, { mode: 'live' });
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 1_000n });
  const order = { book, walletId, leaseOwner: randomUUID(), reserved: false, route: 'mtn-zm' };
  await storeTestTransfer(test.database, order);
  return book;
}

it('what a merchant that moved left here does not wait for a route', async () => {
  await storeQueued();
  const { merchantId } = await storeQueued();
  const count = () => countQueued(test.database, ['mtn-zm', 'zamtel-zm']);
  assert.deepEqual(await count(), [{ route: 'mtn-zm', queued: 2 }]);
  const text = `update merchants set state = 'moved' where id = $1`;
  await test.database.query({ name: '', text }, [merchantId]);
  assert.deepEqual(await count(), [{ route: 'mtn-zm', queued: 1 }]);
});
