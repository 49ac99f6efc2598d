import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { createTestFeed } from '../../test/test-feed.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import { acceptTransfer } from '../transfers/accept/prepared-transfer.ts';
import { storeTransfers } from '../transfers/accept/store-transfers.ts';
import { FEED_BEGINNING, type FeedPosition, listEvents } from './list-events.ts';

const PAGE = 3;

let test: TestDatabase;
let database: TestDatabase['database'];
before(async () => {
  test = await createTestDatabase();
  ({ database } = test);
});
after(() => test.drop());

async function pay(tx: Queryable, book: Book, walletId: string, count = 1): Promise<string[]> {
  const accepted = Array.from({ length: count }, () =>
    acceptTransfer(prepareTransfer(book, { walletId }), new Date()),
  );
  const group = { accepted, leaseOwner: randomUUID(), at: new Date() };
  assert.ok(await storeTransfers(tx, group));
  return accepted.map(({ transfer }) => transfer.id);
}

const fund = (book: Book) =>
  createTestWallet(database, { bookId: book.id, fundedMinor: 10_000_00n });

const subjectsOf = (items: readonly { data: object }[]) =>
  items.map(({ data }) => String((data as { id: unknown }).id));

async function writeRareEvent(book: Book): Promise<void> {
  const text = `
    insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
    values ($1, $2, 1, 'webhook.test', 'test', 'test', now())`;
  await database.query({ name: '', text }, [book.id, randomUUID()]);
}

/** A reader that continues from its position for as long as it gets events. */
function createReader(bookId: string, limit = PAGE) {
  const feed = createTestFeed(database);
  let after: FeedPosition | null = null;
  return async (): Promise<string[]> => {
    const seen: string[] = [];
    await feed.catchUp();
    for (;;) {
      const query = { bookId, type: null, after, limit };
      const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(database, query);
      after = page.position;
      seen.push(...subjectsOf(page.items));
      if (page.items.length === 0) return seen;
    }
  };
}

it('misses no event of a transaction that began first and ended last', async () => {
  const book = await createTestBook(database);
  const wallets = [await fund(book), await fund(book)] as const;
  const read = createReader(book.id);
  const first = await pay(database, book, wallets[0]);
  assert.deepEqual(await read(), first);

  const written = Promise.withResolvers<string[]>();
  const release = Promise.withResolvers<void>();
  const slow = database.transaction(async (tx) => {
    written.resolve(await pay(tx, book, wallets[1]));
    await release.promise;
  });
  const slowIds = await written.promise;
  for (let n = 0; n < 8; n += 1) {
    const paid = await pay(database, book, wallets[0]);
    assert.deepEqual(await read(), paid);
  }
  release.resolve();
  await slow;
  assert.deepEqual(await read(), slowIds);
  assert.deepEqual(await read(), []);
});

it('shows each event once, in one order, to all who read while many write at once', async () => {
  const book = await createTestBook(database);
  const readers = [createReader(book.id), createReader(book.id, 100)] as const;
  const seen: [string[], string[]] = [[], []];
  const readBoth = () =>
    Promise.all([
      readers[0]().then((ids) => seen[0].push(...ids)),
      readers[1]().then((ids) => seen[1].push(...ids)),
    ]);
  let writing = true;
  const writers = Promise.all(
    Array.from({ length: 4 }, async () => {
      const walletId = await fund(book);
      const paid: string[] = [];
      for (let n = 0; n < 15; n += 1) paid.push(...(await pay(database, book, walletId, 2)));
      return paid;
    }),
  ).finally(() => {
    writing = false;
  });
  while (writing) await readBoth();
  const paid = (await writers).flat();
  await readBoth();
  assert.deepEqual(seen[0].toSorted(), paid.toSorted());
  assert.deepEqual(seen[1], seen[0]);
});

it('places events that were written at once in several batches when there are many', async () => {
  const book = await createTestBook(database);
  const paid = await pay(database, book, await fund(book), 1_024);
  const seen = await createReader(book.id, 100)();
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen.toSorted(), paid.toSorted());
  const batches = await database.query<{ events: number }>(
    {
      name: '',
      text: `select cardinality(seqs) as events from feed_batches where book_id = $1 order by number`,
    },
    [book.id],
  );
  assert.deepEqual(
    batches.map(({ events }) => events),
    [500, 500, 24],
  );
});

it('shows later events to a reader that has seen more than a restored database has', async () => {
  const book = await createTestBook(database);
  const walletId = await fund(book);
  const read = createReader(book.id);
  await pay(database, book, walletId);
  await read();
  const lost = await pay(database, book, walletId);
  assert.deepEqual(await read(), lost);
  await database.transaction(async (tx) => {
    const forget = `delete from feed_batches where $1::uuid = any (subject_ids)`;
    await tx.query({ name: '', text: 'alter table feed_batches disable trigger user' });
    await tx.query({ name: '', text: forget }, lost);
    await tx.query({ name: '', text: 'alter table feed_batches enable trigger user' });
  });
  const later = await pay(database, book, walletId);
  assert.deepEqual(await read(), later);
});

it('keeps the order of a subject when the clock of the server is set back', async () => {
  const book = await createTestBook(database);
  const subjectId = randomUUID();
  for (const seq of [1, 2, 3]) {
    await database.query(
      {
        name: '',
        text: `
          insert into events (book_id, subject_id, seq, type, cause, actor, created_at)
          values ($1, $2, $3, 'webhook.test', 'test', 'test', now())`,
      },
      [book.id, subjectId, seq],
    );
    await database.query(
      {
        name: '',
        text: `
          update feed_pending set written_at = written_at - $2::integer * interval '1 hour'
          where subject_ids = array[$1::uuid] and seqs = array[$2::integer]`,
      },
      [subjectId, seq],
    );
  }
  await createTestFeed(database).catchUp();
  const query = { bookId: book.id, type: null, after: null, limit: PAGE } as const;
  const { items } = await listEvents(database, query);
  assert.deepEqual(
    items.map(({ sequence }) => sequence),
    [1, 2, 3],
  );
});

it('looks at some events in one call, and goes on where it stopped until one of the type is found', async () => {
  const book = await createTestBook(database);
  const walletId = await fund(book);
  const looked = { batchesMax: 3, eventsMax: 4, againMax: 4 };
  for (const count of [1, 1, 1, 1, 3, 3]) {
    await pay(database, book, walletId, count);
    await createTestFeed(database).catchUp();
  }
  await writeRareEvent(book);
  await createTestFeed(database).catchUp();
  const pages: number[] = [];
  let after = FEED_BEGINNING;
  for (;;) {
    const query = { bookId: book.id, type: 'webhook.test', after, limit: PAGE } as const;
    const page: Awaited<ReturnType<typeof listEvents>> = await listEvents(database, query, looked);
    pages.push(page.items.length);
    const position = page.position ?? FEED_BEGINNING;
    if (position.batch === after.batch && position.place === after.place) break;
    after = position;
  }
  // Three batches of one event; one and then one with three; three more; then the one of the type.
  assert.deepEqual(pages, [0, 0, 0, 1, 0]);
});

it('filters by type and returns the same position when there is nothing new', async () => {
  const book = await createTestBook(database);
  const query = { bookId: book.id, type: null, after: null, limit: PAGE } as const;
  assert.deepEqual(await listEvents(database, query), { items: [], position: null });
  const ids = await pay(database, book, await fund(book));
  await createTestFeed(database).catchUp();
  const created = await listEvents(database, { ...query, type: 'transfer.created' });
  assert.deepEqual(subjectsOf(created.items), ids);
  const failed = await listEvents(database, { ...query, type: 'transfer.failed' });
  assert.deepEqual(failed, { items: [], position: null });
  const after = created.position;
  const still = await listEvents(database, { ...query, type: 'transfer.failed', after });
  assert.deepEqual(still, { items: [], position: after });
  const later = await listEvents(database, { ...query, after: created.position });
  assert.deepEqual(later, { items: [], position: created.position });
});

it('returns the same position while only events of other types come, and misses none of its type', async () => {
  const book = await createTestBook(database);
  const walletId = await fund(book);
  await pay(database, book, walletId);
  await createTestFeed(database).catchUp();
  const query = { bookId: book.id, type: null, after: null, limit: PAGE } as const;
  const { position: after } = await listEvents(database, query);
  assert.ok(after);
  const rare = { ...query, type: 'webhook.test', after } as const;
  for (const count of [1, 5, 2]) {
    await pay(database, book, walletId, count);
    await createTestFeed(database).catchUp();
    assert.deepEqual(await listEvents(database, rare), { items: [], position: after });
  }
  await writeRareEvent(book);
  await pay(database, book, walletId);
  await createTestFeed(database).catchUp();
  const found = await listEvents(database, rare);
  assert.equal(found.items.length, 1);
  const still = await listEvents(database, { ...rare, after: found.position });
  assert.deepEqual(still, { items: [], position: found.position });
});

it('moves on at the end of the feed too when it looked at many events: no reader looks at them again', async () => {
  const book = await createTestBook(database);
  const walletId = await fund(book);
  for (const count of [1, 4]) {
    await pay(database, book, walletId, count);
    await createTestFeed(database).catchUp();
  }
  const looked = { batchesMax: 10, eventsMax: 100, againMax: 4 };
  const query = {
    bookId: book.id,
    type: 'webhook.test',
    after: FEED_BEGINNING,
    limit: PAGE,
  } as const;
  const end = await listEvents(database, query, looked);
  assert.deepEqual([end.items, end.position?.place], [[], 4]);
  await writeRareEvent(book);
  await createTestFeed(database).catchUp();
  const found = await listEvents(database, { ...query, after: end.position }, looked);
  assert.equal(found.items.length, 1);
});
