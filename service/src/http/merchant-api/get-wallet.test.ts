import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { getWalletOperation } from './get-wallet.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
let get: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  const { database } = test;
  get = getWalletOperation({ database });
  book = await createTestBook(database);
  walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_000_000n });
  await storeTestTransfer(database, {
    book,
    leaseOwner: randomUUID(),
    walletId,
    amountMinor: 2_550n,
    reference: '-1+cmd',
  });
});
after(() => test.drop());

async function everyWrongWallet() {
  const live = await createTestBook(test.database, { mode: 'live' });
  return [
    { book, id: randomUUID() },
    { book: await createTestBook(test.database), id: walletId },
    { book: live, id: walletId },
    { book, id: 'x' },
    { book, id: walletId.replaceAll('-', '') },
  ];
}

describe('GET wallets/:id', () => {
  it('gives the wallet with its balances as decimal strings', async () => {
    const { status, message, data, unserialised } = await callOperation(get, {
      book,
      params: { id: walletId },
    });
    assert.deepEqual([status, message], [200, 'Wallet found']);
    assert.deepEqual(data, {
      id: walletId,
      currency: 'ZMW',
      available: '999974.50',
      held: '25.50',
      status: 'active',
    });
    assert.deepEqual(data, unserialised);
  });

  it("answers the same for unknown ids, another merchant's, the other mode's and malformed ids", async () => {
    for (const { book: asking, id } of await everyWrongWallet()) {
      const refusal = await refusalOf(callOperation(get, { book: asking, params: { id } }));
      assert.deepEqual(refusal, { code: 'WALLET_NOT_FOUND', fields: [], detail: {} });
    }
  });
});
