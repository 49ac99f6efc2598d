import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { NOW, type Webhook, webhookRoutes } from '../../../test/webhook-routes.ts';
import type { Book } from '../../domain/book.ts';
import { openSecrets } from '../../webhooks/endpoint.ts';
import {
  DELIVERABLE_COLUMNS,
  type DeliverableRow,
  toDeliverable,
} from '../../webhooks/endpoint-row.ts';

const URL_TEXT = 'https://hooks.example.com/kafue';
const HOUR_MS = 60 * 60 * 1_000;

let test: TestDatabase;
let book: Book;
let api: ReturnType<typeof webhookRoutes>;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  api = webhookRoutes(test.database);
});
after(() => test.drop());

type WithSecret = Webhook & { secret: string; previousSecretUntil: string };

const create = (owner: Book, body: Record<string, unknown> = {}) =>
  api.call<WithSecret>('create', { book: owner, body: { url: URL_TEXT, ...body } });

async function secretsAt(id: string, at: Date): Promise<string[]> {
  const [row] = await test.database.query<DeliverableRow>(
    {
      name: '',
      text: `
        select ${DELIVERABLE_COLUMNS}
        from webhook_endpoints e join books b on b.id = e.book_id
        where e.id = $1`,
    },
    [id],
  );
  assert.ok(row !== undefined);
  return openSecrets(api.deps.sealer, toDeliverable(row), at);
}

describe('POST webhooks', () => {
  it('answers with the endpoint and its secret, which is shown only here', async () => {
    const owner = await createTestBook(test.database);
    const body = { url: URL_TEXT, events: ['transfer.failed', 'transfer.successful'] };
    const answer = await callOperation(api.routes.create, { book: owner, body });
    assert.deepEqual([answer.status, answer.message], [201, 'Webhook created']);
    const { secret, ...webhook } = answer.data as WithSecret;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(webhook, {
      id: webhook.id,
      url: URL_TEXT,
      events: ['transfer.failed', 'transfer.successful'],
      status: 'enabled',
      disabledReason: null,
      createdAt: NOW.toISOString(),
    });
    assert.equal(answer.headers?.location, `/api/v1/payments/webhooks/${webhook.id}`);

    const got = await api.call<Webhook>('get', { book: owner, id: webhook.id });
    const listed = await api.call('list', { book: owner });
    assert.deepEqual(got, webhook);
    assert.deepEqual(listed, { items: [webhook], nextCursor: null });
  });

  it('stores the secret only encrypted', async () => {
    const { id, secret } = await create(await createTestBook(test.database));
    assert.deepEqual(await secretsAt(id, NOW), [secret]);
    const [row] = await test.database.query<{ sealed: Buffer }>(
      { name: '', text: 'select secret_sealed as sealed from webhook_endpoints where id = $1' },
      [id],
    );
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    assert.ok(row !== undefined);
    assert.ok(!row.sealed.includes(secret) && !row.sealed.includes(bytes));
  });

  it('names every broken field', async () => {
    const broken = async (body: Record<string, unknown>) =>
      (await refusalOf(callOperation(api.routes.create, { book, body }))).fields;
    assert.deepEqual(await broken({}), ['url REQUIRED']);
    assert.deepEqual(await broken({ url: null }), ['url REQUIRED']);
    assert.deepEqual(await broken({ url: 'http://example.com/', events: ['x'], secret: 'y' }), [
      'secret UNKNOWN_FIELD',
      'url INVALID_URL',
      'events INVALID_EVENTS',
    ]);
    const twice = ['transfer.failed', 'transfer.failed'];
    for (const events of ['transfer.failed', [1], ['*'], [null], twice, ['toString']]) {
      assert.deepEqual(await broken({ url: URL_TEXT, events }), ['events INVALID_EVENTS']);
    }
    assert.deepEqual(await broken({ url: 1 }), ['url INVALID_URL']);
  });

  it('allows loopback for test books if that is switched on, and never for live books', async () => {
    const url = 'http://127.0.0.1:9000/hook';
    assert.equal((await refusalOf(create(book, { url }))).code, 'VALIDATION_ERROR');
    const open = webhookRoutes(test.database, { toLoopback: ['test'] });
    const made = await open.call<Webhook>('create', { book, body: { url } });
    assert.equal(made.url, url);
    const live = await createTestBook(test.database, { mode: 'live' });
    const refused = await refusalOf(open.call('create', { book: live, body: { url } }));
    assert.deepEqual(refused.fields, ['url INVALID_URL']);
  });

  it('allows ten webhooks per book, even if twenty are created at once', async () => {
    const owner = await createTestBook(test.database);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => create(owner)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 10);
    const refused = await refusalOf(create(owner));
    assert.equal(refused.code, 'LIMIT_EXCEEDED');
    assert.match(refused.detail.message ?? '', /at most 10 webhooks/);
    await create(book);
  });
});

describe('POST webhooks/{id}/rotate-secret', () => {
  it('shows the new secret once and signs with the previous one too for a day', async () => {
    const owner = await createTestBook(test.database);
    const first = await create(owner);
    const rotated = await api.call<WithSecret>('rotate', { book: owner, id: first.id });
    assert.notEqual(rotated.secret, first.secret);
    assert.equal(rotated.previousSecretUntil, new Date(NOW.getTime() + 24 * HOUR_MS).toISOString());
    const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);
    assert.deepEqual(await secretsAt(first.id, later(23)), [rotated.secret, first.secret]);
    assert.deepEqual(await secretsAt(first.id, later(24)), [rotated.secret]);

    const again = await api.call<WithSecret>('rotate', { book: owner, id: first.id });
    assert.deepEqual(await secretsAt(first.id, later(1)), [again.secret, rotated.secret]);
    const shown = await api.call<Record<string, unknown>>('get', { book: owner, id: first.id });
    assert.ok(!('secret' in shown) && !('previousSecretUntil' in shown));
  });
});

describe('a webhook of another book', () => {
  it('answers every operation as an unknown webhook does', async () => {
    const owner = await createTestBook(test.database);
    const { id } = await create(owner);
    const delivery = await api.call<{ id: string }>('test', { book: owner, id });
    const asks = [
      ['get', undefined],
      ['update', { status: 'disabled' }],
      ['delete', undefined],
      ['rotate', undefined],
      ['test', undefined],
      ['deliveries', undefined],
      ['replayMany', { state: 'failed' }],
    ] as const;
    const live = await createTestBook(test.database, { mode: 'live' });
    for (const [route, body] of asks) {
      const parts = body === undefined ? {} : { body };
      for (const [otherBook, asked] of [
        [book, id],
        [live, id],
        [book, randomUUID()],
        [book, 'nonsense'],
      ] as const) {
        const refused = await refusalOf(api.call(route, { book: otherBook, id: asked, ...parts }));
        assert.deepEqual([refused.code, refused.detail], ['WEBHOOK_NOT_FOUND', {}], route);
      }
    }
    for (const unknown of [delivery.id, randomUUID(), 'nonsense']) {
      const refused = await refusalOf(api.call('replay', { book, id: unknown }));
      assert.deepEqual([refused.code, refused.detail], ['DELIVERY_NOT_FOUND', {}]);
    }
    assert.equal((await api.call<Webhook>('get', { book: owner, id })).status, 'enabled');
  });
});
