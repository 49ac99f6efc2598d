import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { callOperation, refusalOf } from '../../../test/api-request.ts';
import { readDeliveries, storeTestEndpoint } from '../../../test/stored-delivery.ts';
import { TEST_ACTOR } from '../../../test/test-actor.ts';
import { createTestBook } from '../../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { type Delivery, NOW, webhookRoutes } from '../../../test/webhook-routes.ts';
import type { Book } from '../../domain/book.ts';
import { eventKey } from '../../events/recorded-event.ts';
import { renderEvents } from '../../views/render-event.ts';
import { replayDeliveries } from '../../webhooks/replay-deliveries.ts';

let test: TestDatabase;
let book: Book;
let minute = 0;
let api: ReturnType<typeof webhookRoutes>;
before(async () => {
  test = await createTestDatabase();
  book = await createTestBook(test.database);
  api = webhookRoutes(test.database, { now: () => minutes(minute) });
});
after(() => test.drop());

const minutes = (n: number) => new Date(NOW.getTime() + n * 60_000);
type Page = { items: Delivery[]; nextCursor: string | null };

/** Creates an endpoint with one delivery per minute, each of a test event, in these states. */
async function endpointWith(states: readonly string[]): Promise<{ id: string; ids: string[] }> {
  const { id } = await storeTestEndpoint(test.database, { bookId: book.id });
  const ids: string[] = [];
  for (const [index, state] of states.entries()) {
    minute = index;
    const delivery = await api.call<Delivery>('test', { book, id });
    ids.push(delivery.id);
    if (state !== 'pending') await end(delivery.id, state);
  }
  return { id, ids };
}

async function end(id: string, state: string): Promise<void> {
  await test.database.query(
    {
      name: '',
      text: `
        with ended as (
          update deliveries
          set state = $2, next_attempt_at = null, lease_owner = null, attempts = 1,
              schedule_attempts = 1
          where id = $1
          returning book_id, id
        )
        insert into delivery_attempts (book_id, delivery_id, attempt, at, elapsed_ms, status, answer)
        select book_id, id, 1, $3, 12, 500, '<b>no</b>' from ended`,
    },
    [id, state, NOW],
  );
}

const listed = (id: string, query = '') => api.call<Page>('deliveries', { book, id, query });
const idsOf = ({ items }: Page) => items.map(({ id }) => id);
const statesOf = async (id: string) =>
  (await readDeliveries(test.database, id)).map(({ state }) => state);

describe('POST webhooks/{id}/test', () => {
  it('queues a test event with a made-up transfer for this endpoint alone, past its filter', async () => {
    const { id } = await storeTestEndpoint(test.database, { bookId: book.id });
    const other = await storeTestEndpoint(test.database, { bookId: book.id });
    await api.call('update', { book, id, body: { events: ['transfer.failed'] } });
    minute = 0;
    const answer = await callOperation(api.routes.test, { book, params: { id } });
    const delivery = answer.data as Delivery;
    assert.deepEqual(
      [answer.message, delivery.eventType, delivery.state, delivery.endpointId],
      ['Test event queued', 'webhook.test', 'pending', id],
    );
    assert.deepEqual(idsOf(await listed(id)), [delivery.id]);
    assert.deepEqual(idsOf(await listed(other.id)), []);

    const second = await api.call<Delivery>('test', { book, id });
    assert.notEqual(second.eventId, delivery.eventId);
    const key = { bookId: book.id, subjectId: id, seq: 2 };
    const event = (await renderEvents(test.database, [key])).get(eventKey(key));
    assert.deepEqual(
      [event?.id, event?.type, event?.sequence],
      [second.eventId, 'webhook.test', 2],
    );
    assert.match(JSON.stringify(event?.data), /"reference":"webhook-test"/);
  });

  it('refuses while the webhook is disabled', async () => {
    const { id } = await storeTestEndpoint(test.database, { bookId: book.id });
    await api.call('update', { book, id, body: { status: 'disabled' } });
    const refused = await refusalOf(api.call('test', { book, id }));
    assert.equal(refused.code, 'INVALID_STATE');
    assert.match(refused.detail.message ?? '', /webhook is disabled/);
    assert.deepEqual(idsOf(await listed(id)), []);
  });
});

describe('GET webhooks/{id}/deliveries', () => {
  it('pages newest first, with the attempts and the answers to them', async () => {
    const { id, ids } = await endpointWith(['delivered', 'failed', 'pending', 'failed']);
    const first = await listed(id, 'limit=3');
    const second = await listed(id, `limit=3&cursor=${first.nextCursor}`);
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids.toReversed());
    assert.equal(second.nextCursor, null);
    assert.deepEqual(second.items[0]?.attempts, [
      { at: NOW.toISOString(), elapsedMs: 12, status: 500, error: null, answer: '<b>no</b>' },
    ]);
    const pending = first.items[1];
    assert.deepEqual([pending?.state, pending?.attempts], ['pending', []]);
    assert.notEqual(pending?.nextAttemptAt, null);
  });

  it('filters by state and time, and pages through deliveries with the same time', async () => {
    const { id, ids } = await endpointWith(['delivered', 'failed', 'failed']);
    assert.deepEqual(idsOf(await listed(id, 'state=failed')), [ids[2], ids[1]]);
    const range = `from=${minutes(0).toISOString()}&to=${minutes(2).toISOString()}`;
    assert.deepEqual(idsOf(await listed(id, range)), [ids[1], ids[0]]);
    const { id: busy } = await storeTestEndpoint(test.database, { bookId: book.id });
    minute = 0;
    for (let n = 0; n < 5; n += 1) await api.call('test', { book, id: busy });
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await listed(busy, cursor === '' ? 'limit=2' : `limit=2&cursor=${cursor}`);
      seen.push(...idsOf(page));
      cursor = page.nextCursor;
    }
    assert.equal(seen.length, 5);
    assert.equal(new Set(seen).size, 5);
  });

  it('names every broken parameter', async () => {
    const { id } = await endpointWith([]);
    const refused = await refusalOf(listed(id, 'state=sent&cursor=x&limit=0&status=failed'));
    assert.deepEqual(refused.fields, [
      'status UNKNOWN_FIELD',
      'limit INVALID_LIMIT',
      'cursor INVALID_CURSOR',
      'state INVALID_STATE',
    ]);
    const [, , , state] = refused.detail.fields ?? [];
    assert.equal(state?.message, 'One of pending, delivered, failed.');
  });
});

describe('POST webhooks/deliveries/{id}/replay', () => {
  it('sends it once more on a new schedule, whether it failed, was delivered or is pending', async () => {
    const { id, ids } = await endpointWith(['delivered', 'failed', 'pending']);
    await test.database.query({
      name: '',
      text: `update deliveries set next_attempt_at = now() + interval '1 hour', schedule_attempts = 3
             where state = 'pending'`,
    });
    for (const one of ids) {
      const replayed = await api.call<Delivery>('replay', { book, id: one });
      assert.deepEqual([replayed.id, replayed.state], [one, 'pending']);
    }
    for (const { state, scheduleAttempts, dueInMs } of await readDeliveries(test.database, id)) {
      assert.deepEqual([state, scheduleAttempts], ['pending', 0]);
      assert.ok((dueInMs ?? 1) <= 0);
    }
  });

  it('leaves a delivery alone that is being sent', async () => {
    const { id, ids } = await endpointWith(['pending']);
    const leaseOwner = randomUUID();
    await test.database.query(
      {
        name: '',
        text: `update deliveries set lease_owner = $2, next_attempt_at = now() + interval '1 minute'
               where endpoint_id = $1`,
      },
      [id, leaseOwner],
    );
    await api.call('replay', { book, id: ids[0] ?? '' });
    const [delivery] = await readDeliveries(test.database, id);
    assert.equal(delivery?.leaseOwner, leaseOwner);
    assert.ok((delivery?.dueInMs ?? 0) > 1_000);
  });

  it('refuses while the webhook is disabled', async () => {
    const { id, ids } = await endpointWith(['failed']);
    await api.call('update', { book, id, body: { status: 'disabled' } });
    const one = await refusalOf(api.call('replay', { book, id: ids[0] ?? '' }));
    const many = await refusalOf(api.call('replayMany', { book, id, body: { state: 'failed' } }));
    assert.deepEqual([one.code, many.code], ['INVALID_STATE', 'INVALID_STATE']);
    assert.deepEqual(await statesOf(id), ['failed']);
  });
});

describe('POST webhooks/{id}/replay', () => {
  const STATES = ['delivered', 'failed', 'pending', 'failed', 'delivered'];
  const replay = (id: string, body: Record<string, unknown>) =>
    api.call('replayMany', { book, id, body });

  it('replays all that failed', async () => {
    const { id } = await endpointWith(STATES);
    assert.deepEqual(await replay(id, { state: 'failed' }), { replayed: 2, nextFrom: null });
    const expected = ['delivered', 'pending', 'pending', 'pending', 'delivered'];
    assert.deepEqual(await statesOf(id), expected);
  });

  it('replays a time range, and only failed deliveries in it if requested', async () => {
    const from = minutes(1).toISOString();
    const { id } = await endpointWith(STATES);
    assert.deepEqual(await replay(id, { from }), { replayed: 3, nextFrom: null });
    assert.deepEqual(await statesOf(id), ['delivered', ...Array(4).fill('pending')]);
    const { id: other } = await endpointWith(STATES);
    const to = minutes(3).toISOString();
    const result = await replay(other, { from, to, state: 'failed' });
    assert.deepEqual(result, { replayed: 1, nextFrom: null });
  });

  it('is bounded, and says where to continue', async () => {
    const { id } = await endpointWith(['failed', 'failed', 'failed']);
    const range = { from: null, to: null, state: 'failed' } as const;
    const deps = { database: test.database, now: () => NOW, newId: randomUUID };
    const by = { actor: TEST_ACTOR, merchantId: book.merchantId };
    const request = { ...by, bookId: book.id, id, range, max: 2 };
    const first = await replayDeliveries(deps, request);
    assert.deepEqual(first, { replayed: 2, nextFrom: minutes(1) });
    const rest = { ...request, range: { ...range, from: first.nextFrom } };
    const second = await replayDeliveries(deps, rest);
    assert.deepEqual(second, { replayed: 1, nextFrom: null });
  });

  it('does not read an empty body as "replay everything"', async () => {
    const { id } = await endpointWith(['failed']);
    const broken = async (body: Record<string, unknown>) =>
      (await refusalOf(replay(id, body))).fields;
    assert.deepEqual(await broken({}), ['from REQUIRED']);
    assert.deepEqual(await broken({ state: 'delivered', from: 'today', all: true }), [
      'all UNKNOWN_FIELD',
      'state INVALID_STATE',
      'from INVALID_TIME',
    ]);
    assert.deepEqual(await statesOf(id), ['failed']);
  });
});
