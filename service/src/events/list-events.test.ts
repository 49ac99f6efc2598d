import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import { acceptTransfer } from '../transfers/prepared-transfer.ts';
import { storeTransfers } from '../transfers/store-transfers.ts';
import { type FeedPosition, listEvents } from './list-events.ts';

const PAGE = 3;

let test: TestDatabase;
let database: TestDatabase['database'];
before(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});
after(() => test.drop());

async function pay(tx: Queryable, book: Book, walletId: string): Promise<string> {
  const accepted = [acceptTransfer(prepareTransfer(book, { walletId }), new Date())];
  const group = { accepted, leaseOwner: randomUUID(), at: new Date() };
  assert.ok(await storeTransfers(tx, group));
  return accepted[0]?.transfer.id ?? '';
}

const subjectsOf = (items: readonly { data: object }[]) =>
  items.map(({ data }) => String((data as { id: unknown }).id));

/** A reader that comes back with its position for as long as it is shown something. */
function createReader(bookId: string) {
  let after: FeedPosition | null = null;
  return async (): Promise<string[]> => {
    const seen: string[] = [];
    for (;;) {
      const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(database, {
        bookId,
        type: null,
        after,
        limit: PAGE,
      });
      after = page.position;
      seen.push(...subjectsOf(page.items));
      if (page.items.length === 0) return seen;
    }
  };
}

it('misses no event of a transaction that began first and ended last', async () => {
  const book = await createTestBook(database);
  const wallets = [
    await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n }),
    await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n }),
  ] as const;
  const read = createReader(book.id);
  const paid: string[] = [await pay(database, book, wallets[0])];
  assert.deepEqual(await read(), paid);

  const written = Promise.withResolvers<string>();
  const release = Promise.withResolvers<void>();
  const slow = database.transaction(async (tx) => {
    written.resolve(await pay(tx, book, wallets[1]));
    await release.promise;
  });
  const slowId = await written.promise;
  const meanwhile: string[] = [];
  const seen: string[] = [];
  for (let n = 0; n < 8; n += 1) {
    meanwhile.push(await pay(database, book, wallets[0]));
    seen.push(...(await read()));
  }
  // What is committed is held back: it may not pass what is not.
  assert.equal(seen.length, 0);
  release.resolve();
  await slow;
  seen.push(...(await read()));
  assert.deepEqual(seen, [slowId, ...meanwhile]);
  assert.deepEqual(await read(), []);
});

it('shows each event once to a reader that polls while many write at once', async () => {
  const book = await createTestBook(database);
  const read = createReader(book.id);
  const seen: string[] = [];
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 4 }, async () => {
      const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
      const paid: string[] = [];
      for (let n = 0; n < 15; n += 1) paid.push(await pay(database, book, walletId));
      return paid;
    }),
  ).finally(() => {
    writing = false;
  });
  while (writing) seen.push(...(await read()));
  const paid = (await writers).flat();
  seen.push(...(await read()));
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen.toSorted(), paid.toSorted());
});

it('filters by type and gives the position back when there is nothing new', async () => {
  const book = await createTestBook(database);
  const query = { bookId: book.id, type: null, after: null, limit: PAGE } as const;
  assert.deepEqual(await listEvents(database, query), { items: [], position: null });
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
  const id = await pay(database, book, walletId);
  const created = await listEvents(database, { ...query, type: 'transfer.created' });
  assert.deepEqual(subjectsOf(created.items), [id]);
  const failed = await listEvents(database, { ...query, type: 'transfer.failed' });
  assert.deepEqual(failed, { items: [], position: null });
  const later = await listEvents(database, { ...query, after: created.position });
  assert.deepEqual(later, { items: [], position: created.position });
});
