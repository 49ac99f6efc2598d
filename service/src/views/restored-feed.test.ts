import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { callOperation } from '../../test/api-request.ts';
import { copyDatabase } from '../../test/copy-database.ts';
import { newDataFolder } from '../../test/embedded/data-folders.ts';
import { storeTestTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createDatabaseOfOneCell, type TestDatabase } from '../../test/test-database.ts';
import { createTestFeed } from '../../test/test-feed.ts';
import type { Book } from '../domain/book.ts';
import { listEventsOperation } from '../http/merchant-api/list-events.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { prepareDatabase } from '../schema/prepare-database.ts';
import { MAIN_CELL, searchPathOf } from '../schema/service-schema.ts';

/** More than a new server has used when its tables are created. */
const TRANSACTIONS_AHEAD = 1_000;

let test: TestDatabase;
before(async () => {
  test = await createDatabaseOfOneCell();
});
after(() => test.drop());

type Page = { items: { data: { id: string } }[]; nextCursor: string | null };

async function read(database: Database, book: Book, cursor: string | null) {
  const query = cursor === null ? '' : `cursor=${cursor}`;
  const page = (
    await callOperation(listEventsOperation({ database, feed: createTestFeed(database) }), {
      book,
      query,
    })
  ).data as Page;
  return { ids: page.items.map(({ data }) => data.id), cursor: page.nextCursor };
}

async function pay(database: Database, book: Book, walletId: string): Promise<string> {
  return (await storeTestTransfer(database, { book, walletId, leaseOwner: randomUUID() })).id;
}

it('continues where a reader was, in a database that was restored on another server', async (t) => {
  const { database } = test;
  for (let n = 0; n < TRANSACTIONS_AHEAD; n += 1) {
    await database.query({ name: '', text: 'select pg_current_xact_id()' });
  }
  const book = await createTestBook(database);
  const walletId = await createTestWallet(database, { bookId: book.id, fundedMinor: 100_00n });
  const seen = await pay(database, book, walletId);
  const before = await read(database, book, null);
  assert.deepEqual(before.ids, [seen]);
  const unseen = [await pay(database, book, walletId), await pay(database, book, walletId)];

  const opened = await (await newDataFolder(t)).open();
  const restored = openDatabase({
    connectionString: opened.connectionString,
    applicationName: 'restored',
    connectionsMax: 2,
    searchPath: searchPathOf(MAIN_CELL),
    onError: () => undefined,
  });
  try {
    await prepareDatabase(restored, { role: undefined, say: () => undefined });
    await copyDatabase(database, restored);
    const later = await pay(restored, book, walletId);
    const after = await read(restored, book, before.cursor);
    assert.deepEqual(after.ids, [...unseen, later]);
    assert.deepEqual((await read(restored, book, null)).ids, [seen, ...unseen, later]);
    assert.deepEqual((await read(restored, book, after.cursor)).ids, []);
  } finally {
    await restored.close();
  }
});
