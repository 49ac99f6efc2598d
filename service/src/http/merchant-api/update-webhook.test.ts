import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { storeTestEndpoint } from '../../../test/stored-delivery.ts';
import { storeTestTransfer } from '../../../test/stored-transfer.ts';
import { createTestBook, createTestWallet } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { type Delivery, NOW, type Webhook, webhookRoutes } from '../../../test/webhook-routes.ts';
import type { Book } from '../../domain/book.ts';

let test: TestDatabase;
let book: Book;
let api: ReturnType<typeof webhookRoutes>;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  api = webhookRoutes(test.database);
});
after(() => test.drop());

const change = (id: string, body: Record<string, unknown>) =>
  api.call<Webhook>('update', { book, id, body });
const failing = () =>
  storeTestEndpoint(test.database, {
    bookId: book.id,
    failingSince: NOW,
    url: 'https://a.example/',
  });

async function failingSince(id: string): Promise<Date | null> {
  const rows = await test.database.query<{ since: Date | null }>(
    { name: '', text: 'select failing_since as since from webhook_endpoints where id = $1' },
    [id],
  );
  return rows[0]?.since ?? null;
}

describe('PATCH webhooks/{id}', () => {
  it('changes what is given and nothing else', async () => {
    const { id } = await failing();
    const before = await api.call<Webhook>('get', { book, id });
    assert.deepEqual(await change(id, {}), before);
    const events = ['recipient.resolved'];
    assert.deepEqual(await change(id, { events }), { ...before, events });
    assert.deepEqual(await failingSince(id), NOW);
    const url = 'https://b.example/x?y=1';
    assert.deepEqual(await change(id, { url, status: 'enabled' }), { ...before, events, url });
    assert.equal(await failingSince(id), null);
    assert.deepEqual((await change(id, { events: [] })).events, []);
    assert.deepEqual(await api.call('get', { book, id }), { ...before, url });
  });

  it('disables with a reason, and enables with the failures forgotten', async () => {
    const { id } = await failing();
    const disabled = await change(id, { status: 'disabled' });
    assert.equal(disabled.status, 'disabled');
    assert.equal(disabled.disabledReason, 'Disabled by the merchant.');
    assert.deepEqual(await change(id, { status: 'disabled', events: [] }), disabled);
    const enabled = await change(id, { status: 'enabled' });
    assert.deepEqual([enabled.status, enabled.disabledReason], ['enabled', null]);
    assert.equal(await failingSince(id), null);
  });

  it('names every broken field and changes nothing', async () => {
    const { id } = await failing();
    const body = { url: 'https://127.0.0.1/', events: 'all', status: 'paused', id: 'x' };
    const refused = await refusalOf(
      callOperation(api.routes.update, { book, params: { id }, body }),
    );
    assert.deepEqual(refused.fields, [
      'id UNKNOWN_FIELD',
      'url INVALID_URL',
      'events INVALID_EVENTS',
      'status INVALID_STATUS',
    ]);
    assert.equal((await api.call<Webhook>('get', { book, id })).url, 'https://a.example/');
  });
});

describe('what an endpoint receives', () => {
  it('is the events that pass its filter while it is enabled', async () => {
    const owner = await createTestBook(test.database);
    const make = (body: object) =>
      api.call<Webhook>('create', { book: owner, body: { url: 'https://a.example/', ...body } });
    const all = await make({});
    const some = await make({ events: ['transfer.created'] });
    const others = await make({ events: ['transfer.failed'] });
    const off = await make({});
    await api.call('update', { book: owner, id: off.id, body: { status: 'disabled' } });
    const walletId = await createTestWallet(test.database, { bookId: owner.id, fundedMinor: 100n });
    const leaseOwner = crypto.randomUUID();
    await storeTestTransfer(test.database, { book: owner, walletId, leaseOwner, amountMinor: 1n });
    const heard = async ({ id }: Webhook) =>
      (await api.call<{ items: Delivery[] }>('deliveries', { book: owner, id })).items.map(
        ({ eventType }) => eventType,
      );
    assert.deepEqual(await heard(all), ['transfer.created']);
    assert.deepEqual(await heard(some), ['transfer.created']);
    assert.deepEqual(await heard(others), []);
    assert.deepEqual(await heard(off), []);
  });
});

describe('DELETE webhooks/{id}', () => {
  it('hides the endpoint and its deliveries', async () => {
    const { id } = await failing();
    const delivery = await api.call<Delivery>('test', { book, id });
    const answer = await callOperation(api.routes.delete, { book, params: { id } });
    assert.deepEqual(
      [answer.status, answer.message, answer.data],
      [200, 'Webhook deleted', { id }],
    );
    for (const route of ['get', 'delete', 'deliveries', 'rotate'] as const) {
      assert.equal((await refusalOf(api.call(route, { book, id }))).code, 'WEBHOOK_NOT_FOUND');
    }
    const replay = await refusalOf(api.call('replay', { book, id: delivery.id }));
    assert.equal(replay.code, 'DELIVERY_NOT_FOUND');
  });
});
