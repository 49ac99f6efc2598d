import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  readDeliveries,
  storeTestDeliveries,
  storeTestEndpoint,
} from '../../test/stored-delivery.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { placeEvents } from '../events/place-events.ts';
import { type ClaimedDelivery, claimDeliveries, FIRST_ENDPOINT } from './claim-deliveries.ts';
import { giveUpDeliveries } from './disable-endpoints.ts';
import { type AttemptOutcome, type DeliveryAttempt, recordAttempts } from './record-attempts.ts';

const DAY_MS = 24 * 3_600_000;
const leaseOwner = randomUUID();
const OK: AttemptOutcome = { kind: 'answered', status: 204, answer: '' };
const BROKEN: AttemptOutcome = { kind: 'answered', status: 500, answer: 'out of order' };
const GONE: AttemptOutcome = { kind: 'answered', status: 410, answer: '' };
const HUNG: AttemptOutcome = { kind: 'unanswered', error: 'no answer within 15 s' };

let test: TestDatabase;
let bookId: string;

before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());
beforeEach(async () => {
  await test.database.query({ name: '', text: 'delete from deliveries' });
  bookId = (await createTestBook(test.database)).id;
});

const now = () => new Date();
const record = (attempts: readonly DeliveryAttempt[], clock: () => Date = now) =>
  recordAttempts({ database: test.database, leaseOwner, now: clock, timeScale: 1 }, attempts);

function attemptAt(
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  retryInMs: number | null = 5_000,
): DeliveryAttempt {
  return { delivery, at: now(), elapsedMs: 12.4, outcome, retryInMs };
}

async function claimed(
  count: number,
  options: { failingSince?: Date; attempts?: number } = {},
): Promise<{ endpointId: string; deliveries: readonly ClaimedDelivery[] }> {
  const { attempts = 0, ...rest } = options;
  const endpoint = await storeTestEndpoint(test.database, { bookId, ...rest });
  await storeTestDeliveries(test.database, endpoint, { count, attempts });
  const { deliveries } = await claimDeliveries(test.database, {
    leaseOwner,
    afterEndpoint: FIRST_ENDPOINT,
    taken: [],
    perEndpointMax: count,
    max: count,
  });
  return { endpointId: endpoint.id, deliveries };
}

async function readEndpoint(id: string) {
  const [row] = await test.database.query<{
    status: string;
    disabled_reason: string | null;
    failing_since: Date | null;
    event_seq: number;
  }>(
    {
      name: '',
      text: 'select status, disabled_reason, failing_since, event_seq from webhook_endpoints where id = $1',
    },
    [id],
  );
  assert.ok(row !== undefined);
  return row;
}

async function readAttempts(deliveryId: string) {
  return test.database.query(
    {
      name: '',
      text: `select attempt, elapsed_ms, status, error, answer from delivery_attempts
             where delivery_id = $1 order by attempt`,
    },
    [deliveryId],
  );
}

/** The n-th claimed delivery; every test that calls this has one. */
function nth(deliveries: readonly ClaimedDelivery[], index: number): ClaimedDelivery {
  const delivery = deliveries[index];
  assert.ok(delivery !== undefined);
  return delivery;
}

describe('recording attempts', () => {
  it('moves each delivery of a group by its result, and keeps the responses', async () => {
    const { endpointId, deliveries } = await claimed(4);
    const [a, b, c, d] = [0, 1, 2, 3].map((index) => nth(deliveries, index));
    assert.ok(a && b && c && d);
    const recorded = await record([
      attemptAt(a, OK, null),
      attemptAt(b, BROKEN, 5_000),
      attemptAt(c, HUNG, 5_000),
      attemptAt(d, BROKEN, null),
    ]);
    assert.deepEqual(
      recorded.map(({ state }) => state),
      ['delivered', 'pending', 'pending', 'failed'],
    );
    const rows = new Map((await readDeliveries(test.database, endpointId)).map((r) => [r.id, r]));
    assert.equal(rows.get(a.id)?.dueInMs, null);
    const again = rows.get(b.id);
    assert.ok((again?.dueInMs ?? 0) > 3_000 && (again?.dueInMs ?? 0) <= 5_000);
    assert.equal(again?.leaseOwner, null);
    assert.equal(again?.attempts, 1);
    assert.deepEqual(await readAttempts(b.id), [
      { attempt: 1, elapsed_ms: 12, status: 500, error: null, answer: 'out of order' },
    ]);
    assert.deepEqual(await readAttempts(c.id), [
      { attempt: 1, elapsed_ms: 12, status: null, error: 'no answer within 15 s', answer: null },
    ]);
  });

  it('records nothing once another process has the delivery', async () => {
    const { deliveries } = await claimed(1);
    const delivery = nth(deliveries, 0);
    await test.database.query(
      { name: '', text: 'update deliveries set lease_owner = $2 where id = $1' },
      [delivery.id, randomUUID()],
    );
    assert.deepEqual(await record([attemptAt(delivery, OK, null)]), [
      { state: 'leaseLost', endpointDisabled: false },
    ]);
    assert.deepEqual(await readAttempts(delivery.id), []);
  });

  it('records since when an endpoint fails, and clears it at the first success', async () => {
    const { endpointId, deliveries } = await claimed(3);
    await record([attemptAt(nth(deliveries, 0), BROKEN)]);
    const since = (await readEndpoint(endpointId)).failing_since;
    assert.ok(since !== null);
    await record([attemptAt(nth(deliveries, 1), HUNG)]);
    assert.deepEqual((await readEndpoint(endpointId)).failing_since, since);
    await record([attemptAt(nth(deliveries, 2), OK, null)]);
    assert.equal((await readEndpoint(endpointId)).failing_since, null);
  });

  it("disables an endpoint that answers 410, and reports it to the book's other endpoints only", async () => {
    const other = await storeTestEndpoint(test.database, { bookId });
    const { endpointId, deliveries } = await claimed(2);
    const recorded = await record([
      attemptAt(nth(deliveries, 0), GONE),
      attemptAt(nth(deliveries, 1), BROKEN),
    ]);
    assert.deepEqual(
      recorded.map(({ endpointDisabled }) => endpointDisabled),
      [true, true],
    );
    const { status, disabled_reason, event_seq } = await readEndpoint(endpointId);
    assert.deepEqual([status, event_seq], ['disabled', 1]);
    assert.equal(disabled_reason, 'RECEIVER_GONE');
    const events = await test.database.query(
      { name: '', text: 'select seq, type, to_state from events where subject_id = $1' },
      [endpointId],
    );
    assert.deepEqual(events, [{ seq: 1, type: 'webhook.disabled', to_state: 'disabled' }]);
    await test.database.transaction(placeEvents);
    const notified = await test.database.query(
      { name: '', text: 'select endpoint_id from deliveries where subject_id = $1' },
      [endpointId],
    );
    assert.deepEqual(notified, [{ endpoint_id: other.id }]);
  });

  it('ends deliveries under way when the endpoint was disabled meanwhile', async () => {
    const { deliveries } = await claimed(3);
    await record([attemptAt(nth(deliveries, 0), GONE)]);
    const recorded = await record([
      attemptAt(nth(deliveries, 1), GONE),
      attemptAt(nth(deliveries, 2), OK, null),
    ]);
    assert.deepEqual(
      recorded.map(({ state }) => state),
      ['failed', 'delivered'],
    );
  });

  it('does not disable an endpoint whose address was changed after the POST', async () => {
    const { endpointId, deliveries } = await claimed(1);
    await test.database.query(
      {
        name: '',
        text: `update webhook_endpoints set url = 'https://new.example.com/' where id = $1`,
      },
      [endpointId],
    );
    await record([attemptAt(nth(deliveries, 0), GONE)]);
    assert.equal((await readEndpoint(endpointId)).status, 'enabled');
  });

  it('disables after five days without a success and twenty attempts, not before', async () => {
    const cases = [
      { days: 6, attempts: 9, disabled: true },
      { days: 4, attempts: 9, disabled: false },
      { days: 6, attempts: 1, disabled: false },
    ];
    for (const { days, attempts, disabled } of cases) {
      const failingSince = new Date(Date.now() - days * DAY_MS);
      const { endpointId, deliveries } = await claimed(3, { failingSince, attempts });
      await record([attemptAt(nth(deliveries, 0), BROKEN)]);
      const { status } = await readEndpoint(endpointId);
      assert.equal(status, disabled ? 'disabled' : 'enabled', `${days} days, ${attempts} attempts`);
      await test.database.query({ name: '', text: 'delete from deliveries' });
    }
  });

  it('uses the time of the database: a clock that jumps disables no endpoint', async () => {
    const failingSince = new Date(Date.now() - DAY_MS);
    const { endpointId, deliveries } = await claimed(3, { failingSince, attempts: 9 });
    const inTenYears = () => new Date(Date.now() + 3_650 * DAY_MS);
    await record([attemptAt(nth(deliveries, 0), BROKEN)], inTenYears);
    const { status, failing_since } = await readEndpoint(endpointId);
    assert.equal(status, 'enabled');
    assert.deepEqual(failing_since, failingSince);
    await record([attemptAt(nth(deliveries, 1), OK)], inTenYears);
    await record([attemptAt(nth(deliveries, 2), BROKEN)], inTenYears);
    const again = (await readEndpoint(endpointId)).failing_since?.getTime() ?? 0;
    assert.ok(Math.abs(again - Date.now()) < DAY_MS, 'it began to fail today');
    await test.database.query({ name: '', text: 'delete from deliveries' });
  });

  it('gives up deliveries that wait for a disabled endpoint, but not those being sent', async () => {
    const { endpointId, deliveries } = await claimed(3);
    await storeTestDeliveries(
      test.database,
      { bookId, id: endpointId },
      { count: 5, dueInMs: 9e6 },
    );
    const [gone, held, underWay] = [0, 1, 2].map((index) => nth(deliveries, index));
    assert.ok(gone && held && underWay);
    await giveUpDeliveries(test.database, { bookId, endpointId, held: [] });
    const states = async () =>
      (await readDeliveries(test.database, endpointId)).map(({ state }) => state);
    assert.ok(
      (await states()).every((state) => state === 'pending'),
      'it is enabled',
    );
    await record([attemptAt(gone, GONE)]);
    await giveUpDeliveries(test.database, { bookId, endpointId, held: [held.id] });
    const left = (await readDeliveries(test.database, endpointId)).filter(
      ({ state }) => state === 'pending',
    );
    assert.deepEqual(
      left.map(({ id }) => id),
      [underWay.id],
    );
  });
});
