import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import { fundWallet } from './fund-wallet.ts';
import { listPostings, type PostingQuery } from './list-postings.ts';

let test: TestDatabase;
let book: Book;
let walletId: string;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  walletId = await createTestWallet(test.database, { bookId: book.id });
});
after(() => test.drop());

const list = (query: Partial<PostingQuery> = {}) =>
  listPostings(test.database, {
    bookId: book.id,
    walletId,
    from: null,
    to: null,
    limit: 100,
    before: null,
    ...query,
  });

async function fund(amountMinor: bigint, at: Date, wallet = walletId) {
  const funding = {
    bookId: book.id,
    walletId: wallet,
    amountMinor,
    fundingReference: `fund-${randomUUID()}`,
  };
  const funded = await fundWallet({ database: test.database, now: () => at }, funding);
  assert.equal(funded, 'funded');
}

describe('a statement', () => {
  before(async () => {
    await fund(10_000n, new Date('2026-11-01T00:00:00Z'));
    await fund(5_000n, new Date('2026-11-02T00:00:00Z'));
    const owned = { book, leaseOwner: randomUUID(), walletId };
    await storeTestTransfer(test.database, {
      ...owned,
      amountMinor: 2_550n,
      feeMinor: 50n,
      reference: 'salary-1',
    });
    const other = await createTestWallet(test.database, { bookId: book.id });
    await fund(1n, new Date('2026-11-01T00:00:00Z'), other);
  });

  it('shows each posting newest first, with the running balance and the reference', async () => {
    const { items, nextCursor } = await list();
    assert.equal(nextCursor, null);
    const shown = items.map((item) => [
      item.sequence,
      item.kind,
      item.fromAccount,
      item.toAccount,
      item.amountMinor,
      item.availableAfterMinor,
      item.heldAfterMinor,
    ]);
    assert.deepEqual(shown, [
      [3n, 'hold', 'available', 'held', 2_600n, 12_400n, 2_600n],
      [2n, 'fund', 'funding', 'available', 5_000n, 15_000n, 0n],
      [1n, 'fund', 'funding', 'available', 10_000n, 10_000n, 0n],
    ]);
    const [hold, , first] = items;
    assert.equal(hold?.reference, 'salary-1');
    assert.notEqual(hold?.transferId, null);
    assert.match(first?.reference ?? '', /^fund-/);
    assert.equal(first?.transferId, null);
    assert.deepEqual(first?.createdAt, new Date('2026-11-01T00:00:00Z'));
  });

  it('continues page by page', async () => {
    const first = await list({ limit: 2 });
    assert.equal(first.nextCursor, 2n);
    const second = await list({ limit: 2, before: first.nextCursor });
    assert.deepEqual(
      second.items.map(({ sequence }) => sequence),
      [1n],
    );
    assert.equal(second.nextCursor, null);
  });

  it('shows a period, including its beginning and excluding its end', async () => {
    const { items } = await list({
      from: new Date('2026-11-01T00:00:00Z'),
      to: new Date('2026-11-02T00:00:00Z'),
    });
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      [1n],
    );
  });

  it('is empty in another book', async () => {
    assert.deepEqual((await list({ bookId: randomUUID() })).items, []);
  });
});
