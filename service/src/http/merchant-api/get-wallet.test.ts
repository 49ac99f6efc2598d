import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { createHeldWallet, wrongWallets } from '../../../test/held-wallet.ts';
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
  ({ book, walletId } = await createHeldWallet(database));
});
after(() => test.drop());

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
    for (const { book: asking, id } of await wrongWallets(test.database, { book, walletId })) {
      const refusal = await refusalOf(callOperation(get, { book: asking, params: { id } }));
      assert.deepEqual(refusal, { code: 'WALLET_NOT_FOUND', fields: [], detail: {} });
    }
  });
});
