import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { type AllTransfersFilter, listAllTransfers } from './list-all-transfers.ts';

const NO_FILTER: AllTransfersFilter = {
  merchantId: null,
  mode: null,
  references: null,
  state: null,
  operator: null,
  route: null,
  phone: null,
  from: null,
  to: null,
};
const STORED = [
  { mode: 'live', operator: 'mtn', route: 'mtn-zm', phone: '+260961000001', reserved: true },
  { mode: 'test', operator: 'airtel', route: 'sandbox', phone: '+260971000002', reserved: false },
  { mode: 'live', operator: 'zamtel', route: 'zamtel-zm', phone: '+260951000003', reserved: true },
] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

describe('the list of all transfers', () => {
  let test: TestDatabase;
  const stored: { book: Book; transfer: Transfer; createdAt: Date }[] = [];

  before(async () => {
    test = await createTestDatabase();
    for (const [day, { mode, ...options }] of STORED.entries()) {
      const book = await createTestBook(test.database, { mode });
      const wallet = { bookId: book.id, fundedMinor: 1_000n };
      const walletId = await createTestWallet(test.database, wallet);
      const owned = { book, walletId, leaseOwner: randomUUID(), ...options };
      const transfer = await storeTestTransfer(test.database, owned);
      const createdAt = new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
      const text = 'update transfers set created_at = $2 where id = $1';
      await test.database.query({ name: '', text }, [transfer.id, createdAt]);
      stored.push({ book, transfer, createdAt });
    }
  });
  after(() => test.drop());

  async function list(filter: Partial<AllTransfersFilter>, page = {}): Promise<readonly string[]> {
    const query = { filter: { ...NO_FILTER, ...filter }, max: 10, before: null, ...page };
    const listed = await listAllTransfers(test.database, query);
    return listed.map(({ transfer }) => transfer.id);
  }

  const newestFirst = () =>
    stored
      .map(({ transfer }) => transfer.id)
      .sort()
      .toReversed();

  it('has those of all merchants, with whose they are, by descending id', async () => {
    assert.deepEqual(await list({}), newestFirst());
    const query = { filter: NO_FILTER, max: 10, before: null };
    for (const { transfer, merchant } of await listAllTransfers(test.database, query)) {
      const { book } = stored.find((each) => each.transfer.id === transfer.id) ?? assert.fail();
      assert.deepEqual(merchant, { id: book.merchantId, name: `Merchant ${book.merchantId}` });
    }
  });

  it('has pages, each from where the last ended', async () => {
    const [first, second, third] = newestFirst();
    assert.deepEqual(await list({}, { max: 2 }), [first, second]);
    assert.deepEqual(await list({}, { max: 2, before: second }), [third]);
  });

  it('leaves out what each filter does not name', async () => {
    const [before, named, after] = stored;
    assert.ok(before !== undefined && named !== undefined && after !== undefined);
    const { book, transfer, createdAt } = named;
    const filters: readonly Partial<AllTransfersFilter>[] = [
      { merchantId: book.merchantId },
      { mode: 'test' },
      { references: [transfer.reference, 'no-such-reference'] },
      { state: 'queued' },
      { operator: 'airtel' },
      { route: 'sandbox' },
      { phone: transfer.phone },
      { from: createdAt, to: after.createdAt },
    ];
    for (const filter of filters) {
      assert.deepEqual(await list(filter), [transfer.id], JSON.stringify(filter));
    }
    assert.deepEqual(await list({ mode: 'live', to: createdAt }), [before.transfer.id]);
    assert.deepEqual(await list({ mode: 'live', from: createdAt }), [after.transfer.id]);
  });
});
