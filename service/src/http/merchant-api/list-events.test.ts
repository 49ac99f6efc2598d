import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { createTestFeed } from '../../../test/test-feed.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { eventId } from '../../events/event-types.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { listEventsOperation } from './list-events.ts';
import { encodeCursor } from './read-page.ts';

let test: TestDatabase;
let route: ApiOperation;
before(async () => {
  test = await createTestDatabase();
  route = listEventsOperation({ ...test, feed: createTestFeed(test.database) });
});
after(() => test.drop());

type Page = { items: { id: string; type: string; data: object }[]; nextCursor: string | null };

const list = async (book: Book, query = '') =>
  (await callOperation(route, { book, query })).data as Page;

async function payThree(book: Book): Promise<Transfer[]> {
  const walletId = await createTestWallet(test.database, { bookId: book.id, fundedMinor: 100_00n });
  const paid: Transfer[] = [];
  for (let n = 0; n < 3; n += 1) {
    paid.push(await storeTestTransfer(test.database, { book, walletId, leaseOwner: randomUUID() }));
  }
  return paid;
}

describe('GET events', () => {
  it('lists the events of its own book, oldest first, always with a cursor to continue from', async () => {
    const book = await createTestBook(test.database);
    assert.deepEqual(await list(book), { items: [], nextCursor: null });
    await payThree(await createTestBook(test.database));
    const paid = await payThree(book);
    const first = await list(book, 'limit=2');
    const second = await list(book, `limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual(
      [...first.items, ...second.items],
      paid.map((transfer) => ({
        id: eventId({ subjectId: transfer.id, seq: 1 }),
        type: 'transfer.created',
        createdAt: transfer.createdAt.toISOString(),
        mode: 'test',
        sequence: 1,
        data: renderTransfer(transfer),
      })),
    );
    const { nextCursor } = second;
    assert.notEqual(nextCursor, null);
    assert.deepEqual(await list(book, `cursor=${nextCursor}`), { items: [], nextCursor });
    const [later] = await payThree(book);
    const third = await list(book, `cursor=${nextCursor}&limit=1`);
    assert.deepEqual(
      third.items.map(({ data }) => data),
      later === undefined ? [] : [renderTransfer(later)],
    );
  });

  it('filters by type', async () => {
    const book = await createTestBook(test.database);
    await payThree(book);
    assert.equal((await list(book, 'type=transfer.created')).items.length, 3);
    const none = await list(book, 'type=transfer.failed');
    assert.deepEqual(none, { items: [], nextCursor: null });
  });

  it('refuses unknown parameters and values', async () => {
    const book = await createTestBook(test.database);
    const broken = async (query: string) => (await refusalOf(list(book, query))).fields;
    assert.deepEqual(await broken('type=transfer.paid&limit=101&from=2026-11-15'), [
      'from UNKNOWN_FIELD',
      'limit INVALID_LIMIT',
      'type INVALID_EVENTS',
    ]);
    const id = randomUUID();
    const cursors = [
      encodeCursor('transfers', id),
      encodeCursor('events', id),
      encodeCursor('events', `1.${id}`),
      encodeCursor('events', `99999999999999999999.${id}.1`),
      encodeCursor('events', `1.${id}.9999999999`),
      encodeCursor('events', `-1.${id}.1`),
      encodeCursor('events', `1.nonsense.1`),
    ];
    for (const cursor of cursors) {
      assert.deepEqual(await broken(`cursor=${cursor}`), ['cursor INVALID_CURSOR']);
    }
    const far = encodeCursor('events', `9999999999999999999.${id}.999999999`);
    assert.deepEqual((await list(book, `cursor=${far}`)).items, []);
  });
});
