import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { AdminRefused } from '../../merchants/admin-refused.ts';
import { findAnyTransfer } from './find-any-transfer.ts';

describe('what an administrator types', () => {
  let test: TestDatabase;
  const transfers: Transfer[] = [];
  before(async () => {
    test = await createTestDatabase();
    for (const ended of [null, '1 minute', '3 hours', '400 days']) {
      const book = await createTestBook(test.database, { mode: 'live' });
      const wallet = { bookId: book.id, fundedMinor: 1_000n };
      const walletId = await createTestWallet(test.database, wallet);
      const stored = { book, walletId, leaseOwner: randomUUID() };
      const transfer = await storeTestTransfer(test.database, stored);
      transfers.push(transfer);
      if (ended !== null) await end(transfer, ended);
    }
  });
  after(() => test.drop());

  async function end({ id }: Transfer, ago: string): Promise<void> {
    const text = `update transfers set state = 'succeeded', completed_at = now() - $2::interval
                  where id = $1`;
    await test.database.query({ name: '', text }, [id, ago]);
  }

  it('finds a transfer by its id, finished or not', async () => {
    for (const { id } of transfers) {
      assert.equal((await findAnyTransfer(test.database, id)).transfer.id, id);
    }
  });

  it('finds it by its operator reference, with or without dashes, however long ago it ended', async () => {
    for (const { id, operatorReference } of transfers) {
      const typed = [operatorReference, operatorReference.toUpperCase().replaceAll('-', '')];
      for (const text of typed) {
        assert.equal((await findAnyTransfer(test.database, text)).transfer.id, id);
      }
    }
  });

  it('is refused with advice when there is none', async () => {
    await assert.rejects(findAnyTransfer(test.database, randomUUID()), AdminRefused);
    await assert.rejects(findAnyTransfer(test.database, 'no id'), AdminRefused);
  });
});
