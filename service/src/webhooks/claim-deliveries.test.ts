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
import {
  claimDeliveries,
  DELIVERY_LEASE_MS,
  expireDeliveryLeases,
  FIRST_ENDPOINT,
} from './claim-deliveries.ts';

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

const claim = (options: Partial<Parameters<typeof claimDeliveries>[1]> = {}) =>
  claimDeliveries(test.database, {
    leaseOwner: randomUUID(),
    afterEndpoint: FIRST_ENDPOINT,
    taken: [],
    perEndpointMax: 10,
    max: 100,
    ...options,
  });

async function endpointWith(count: number, dueInMs = 0) {
  const endpoint = await storeTestEndpoint(test.database, { bookId });
  const ids = await storeTestDeliveries(test.database, endpoint, { count, dueInMs });
  return { ...endpoint, ids };
}

describe('claiming deliveries', () => {
  it('takes due deliveries, the longest due first, and leases them', async () => {
    const leaseOwner = randomUUID();
    const endpoint = await endpointWith(12);
    const later = await endpointWith(1, 60_000);
    const { deliveries } = await claim({ leaseOwner });
    const claimed = deliveries.map(({ id }) => id);
    assert.deepEqual(claimed.toSorted(), endpoint.ids.slice(0, 10).toSorted());
    assert.equal(deliveries[0]?.endpoint?.url, 'https://hooks.example.com/');
    assert.equal(deliveries[0]?.endpoint?.mode, 'test');
    const leased = (await readDeliveries(test.database, endpoint.id)).filter(
      (delivery) => delivery.leaseOwner === leaseOwner,
    );
    assert.equal(leased.length, 10);
    assert.ok(leased.every(({ dueInMs }) => (dueInMs ?? 0) > DELIVERY_LEASE_MS - 5_000));
    assert.equal((await readDeliveries(test.database, later.id))[0]?.leaseOwner, null);
  });

  it('never gives one to two processes that claim at the same time', async () => {
    for (let n = 0; n < 5; n += 1) await endpointWith(20);
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claim({ perEndpointMax: 4, max: 30 })),
    );
    const ids = claims.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('skips endpoints that have no room, so that a backlog does not delay other endpoints', async () => {
    const [full, half, free] = [
      await endpointWith(50),
      await endpointWith(50),
      await endpointWith(3),
    ];
    const { deliveries } = await claim({
      taken: [
        { endpointId: full.id, room: 0 },
        { endpointId: half.id, room: 2 },
      ],
    });
    const counts = [full, half, free].map(
      ({ id }) => deliveries.filter(({ endpointId }) => endpointId === id).length,
    );
    assert.deepEqual(counts, [0, 2, 3]);
  });

  it('serves every endpoint in turn when there is not room for all', async () => {
    const endpoints = [];
    for (let n = 0; n < 6; n += 1) endpoints.push(await endpointWith(20));
    const served = new Set<string>();
    let afterEndpoint = FIRST_ENDPOINT;
    for (let turn = 0; turn < 3; turn += 1) {
      const { deliveries, nextEndpoint } = await claim({
        perEndpointMax: 5,
        max: 10,
        afterEndpoint,
      });
      for (const { endpointId } of deliveries) served.add(endpointId);
      afterEndpoint = nextEndpoint;
    }
    assert.equal(served.size, endpoints.length);
    assert.deepEqual(await claim({ afterEndpoint }), {
      deliveries: [],
      nextEndpoint: FIRST_ENDPOINT,
    });
  });

  it('reports that an endpoint is disabled or deleted', async () => {
    const endpoint = await endpointWith(1);
    await endpointWith(1);
    await test.database.query(
      {
        name: '',
        text: `update webhook_endpoints set status = 'disabled', disabled_reason = 'test' where id = $1`,
      },
      [endpoint.id],
    );
    const { deliveries } = await claim();
    const nowhere = deliveries.filter((delivery) => delivery.endpoint === undefined);
    assert.deepEqual(
      nowhere.map(({ id }) => id),
      endpoint.ids,
    );
  });

  it('ends all leases when no other process is running', async () => {
    await endpointWith(3);
    assert.equal((await claim()).deliveries.length, 3);
    assert.equal((await claim()).deliveries.length, 0);
    await expireDeliveryLeases(test.database);
    assert.equal((await claim()).deliveries.length, 3);
  });
});
