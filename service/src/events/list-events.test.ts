import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import { acceptTransfer } from '../transfers/prepared-transfer.ts';
import { storeTransfers } from '../transfers/store-transfers.ts';
import { type FeedPosition, listEvents } from './list-events.ts';

const PAGE = 3;
const HELD_BACK_MAX_MS = 15_000;
const READ_AGAIN_MS = 20;

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

/**
 * Reads until there are as many. Other tests use the same server, and whatever transaction of theirs is
 * open holds our events back too.
 */
async function readAll(read: () => Promise<string[]>, count: number): Promise<string[]> {
  const seen = await read();
  const deadlineMs = performance.now() + HELD_BACK_MAX_MS;
  while (seen.length < count && performance.now() < deadlineMs) {
    await wait(READ_AGAIN_MS);
    seen.push(...(await read()));
  }
  return seen;
}

it('misses no event of a transaction that began first and ended last', async () => {
  const book = await createTestBook(database);
  const wallets = [
    await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n }),
    await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n }),
  ] as const;
  const read = createReader(book.id);
  const paid: string[] = [await pay(database, book, wallets[0])];
  assert.deepEqual(await readAll(read, 1), paid);

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
  seen.push(...(await readAll(read, 1 + meanwhile.length)));
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
  seen.push(...(await readAll(read, paid.length - seen.length)));
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen.toSorted(), paid.toSorted());
});

it('filters by type and gives the position back when there is nothing new', async () => {
  const book = await createTestBook(database);
  const query = { bookId: book.id, type: null, after: null, limit: PAGE } as const;
  assert.deepEqual(await listEvents(database, query), { items: [], position: null });
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
  const id = await pay(database, book, walletId);
  await readAll(createReader(book.id), 1);
  const created = await listEvents(database, { ...query, type: 'transfer.created' });
  assert.deepEqual(subjectsOf(created.items), [id]);
  const failed = await listEvents(database, { ...query, type: 'transfer.failed' });
  assert.deepEqual(failed, { items: [], position: null });
  const later = await listEvents(database, { ...query, after: created.position });
  assert.deepEqual(later, { items: [], position: created.position });
});
