import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { type Delivery, type Webhook, webhookRoutes } from '../../test/webhook-routes.ts';
import type { Book } from '../domain/book.ts';
import { eventId } from '../events/event-types.ts';
import type { Queryable } from '../postgres/database.ts';
import { acceptTransfer } from '../transfers/accept/prepared-transfer.ts';
import { storeTransfers } from '../transfers/accept/store-transfers.ts';

let test: TestDatabase;
let api: ReturnType<typeof webhookRoutes>;
before(async () => {
  test = await createTestDatabase();
  api = webhookRoutes(test.database);
});
after(() => test.drop());

/** Pays from a separate wallet, so that payments do not wait for each other; returns the event's id. */
async function pay(tx: Queryable, book: Book): Promise<string> {
  const wallet = { bookId: book.id, fundedMinor: 1_00n };
  const walletId = await createTestWallet(test.database, wallet);
  const accepted = acceptTransfer(prepareTransfer(book, { walletId }), new Date());
  const group = { accepted: [accepted], leaseOwner: randomUUID(), at: new Date() };
  assert.ok(await storeTransfers(tx, group));
  return eventId({ subjectId: accepted.transfer.id, seq: 1 });
}

/** A payment whose statement has run and whose commit is still to come. */
async function beginPayment(book: Book) {
  const stored = Promise.withResolvers<string>();
  const release = Promise.withResolvers<void>();
  const ended = test.database.transaction(async (tx) => {
    stored.resolve(await pay(tx, book));
    await release.promise;
  });
  const event = await stored.promise;
  const commit = async (): Promise<void> => {
    release.resolve();
    await ended;
  };
  return { event, commit };
}

async function eventsFor(book: Book, id: string): Promise<readonly string[]> {
  const { items } = await api.call<{ items: Delivery[] }>('deliveries', { book, id });
  return items.map((delivery) => delivery.eventId).toSorted();
}

const create = (book: Book) =>
  api.call<Webhook>('create', { book, body: { url: 'https://hooks.example.com/' } });
const update = (book: Book, id: string, body: Record<string, unknown>) =>
  api.call<Webhook>('update', { book, id, body });

describe('an endpoint', () => {
  it('receives events that were being stored when it was created, once, and none from before', async () => {
    const book = await createTestBook(test.database);
    await pay(test.database, book);
    const payment = await beginPayment(book);
    const { id } = await create(book);
    const later = await pay(test.database, book);
    await payment.commit();
    assert.deepEqual(await eventsFor(book, id), [payment.event, later].toSorted());
  });

  it('receives events that were being stored when it was enabled again', async () => {
    const book = await createTestBook(test.database);
    const { id } = await create(book);
    await update(book, id, { status: 'disabled' });
    await pay(test.database, book);
    const payment = await beginPayment(book);
    await update(book, id, { status: 'enabled' });
    await payment.commit();
    assert.deepEqual(await eventsFor(book, id), [payment.event]);
  });

  it('receives events by the types that it had when they happened, and by new ones from then on', async () => {
    const book = await createTestBook(test.database);
    const { id } = await create(book);
    const before = await pay(test.database, book);
    await update(book, id, { events: ['transfer.failed'] });
    await pay(test.database, book);
    const payment = await beginPayment(book);
    await update(book, id, { events: ['transfer.created'] });
    await payment.commit();
    assert.deepEqual(await eventsFor(book, id), [before, payment.event].toSorted());
  });
});
