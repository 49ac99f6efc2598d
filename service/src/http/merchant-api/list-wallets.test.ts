import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { createHeldWallet } from '../../../test/held-wallet.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { listWalletsOperation } from './list-wallets.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
let list: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  const { database } = test;
  list = listWalletsOperation({ database });
  ({ book, walletId } = await createHeldWallet(database));
});
after(() => test.drop());

describe('GET wallets', () => {
  it('lists the wallets of the book with their balances as decimal strings', async () => {
    const { status, message, data, unserialised } = await callOperation(list, { book });
    assert.deepEqual([status, message], [200, 'Wallets listed']);
    const wallet = {
      id: walletId,
      currency: 'ZMW',
      available: '999974.50',
      held: '25.50',
      status: 'active',
    };
    assert.deepEqual(data, { items: [wallet], nextCursor: null });
    assert.deepEqual(data, unserialised);
  });

  it('pages, and refuses unknown parameters', async () => {
    const owner = await createTestBook(test.database);
    const ids = [
      await createTestWallet(test.database, { bookId: owner.id }),
      await createTestWallet(test.database, { bookId: owner.id }),
    ];
    type Page = { items: { id: string }[]; nextCursor: string | null };
    const first = (await callOperation(list, { book: owner, query: 'limit=1' })).data as Page;
    const query = `limit=1&cursor=${first.nextCursor}`;
    const second = (await callOperation(list, { book: owner, query })).data as Page;
    const seen = [...first.items, ...second.items].map(({ id }) => id);
    assert.deepEqual(seen, ids.sort().toReversed());
    const { fields } = await refusalOf(
      callOperation(list, { book, query: 'currency=ZMW&limit=x' }),
    );
    assert.deepEqual(fields, ['currency UNKNOWN_FIELD', 'limit INVALID_LIMIT']);
  });
});
