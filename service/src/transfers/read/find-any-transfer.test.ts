import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findAnyTransfer, findNamedTransfer } from './find-any-transfer.ts';

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

  const named = (text: string, narrowed: { merchantId?: string; mode?: 'test' | 'live' } = {}) =>
    findNamedTransfer(test.database, { text, merchantId: null, mode: null, ...narrowed });

  it("finds it by the merchant's reference, and by what else it is called", async () => {
    for (const { id, reference, operatorReference } of transfers) {
      for (const text of [id, operatorReference, ` ${reference} `]) {
        assert.equal((await named(text)).transfer.id, id);
      }
    }
    await assert.rejects(named('no-such-reference'), { code: 'TRANSFER_NOT_FOUND' });
  });

  it('asks whose it is where several books have the same reference, and takes the one that is named', async () => {
    const store = async (mode: 'test' | 'live', reference: string) => {
      const book = await createTestBook(test.database, { mode });
      const walletId = await createTestWallet(test.database, {
        bookId: book.id,
        fundedMinor: 1_000n,
      });
      const stored = { book, walletId, reference, leaseOwner: randomUUID() };
      return { book, id: (await storeTestTransfer(test.database, stored)).id };
    };
    const live = await store('live', 'salary-1');
    const tried = await store('test', 'salary-1');
    await assert.rejects(named('salary-1'), { code: 'TRANSFER_AMBIGUOUS' });
    assert.equal((await named('salary-1', { mode: 'test' })).transfer.id, tried.id);
    const { merchantId } = live.book;
    assert.equal((await named('salary-1', { merchantId })).transfer.id, live.id);
    await assert.rejects(named('salary-1', { merchantId, mode: 'test' }), {
      code: 'TRANSFER_NOT_FOUND',
    });
    // A merchant may use the id of another merchant's transfer as its reference.
    const alike = await store('live', tried.id);
    assert.equal((await named(tried.id)).transfer.id, tried.id);
    const { merchantId: other } = alike.book;
    assert.equal((await named(tried.id, { merchantId: other })).transfer.id, alike.id);
  });

  it('is refused with advice when there is none', async () => {
    await assert.rejects(findAnyTransfer(test.database, randomUUID()), AdminRefused);
    await assert.rejects(findAnyTransfer(test.database, 'no id'), AdminRefused);
  });
});
