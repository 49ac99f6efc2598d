import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { pollUntil } from '../../test/poll.ts';
import {
  readDeliveries,
  storeTestDeliveries,
  storeTestEndpoint,
} from '../../test/stored-delivery.ts';
import { createTestBook } from '../../test/test-book.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { claimDeliveries, FIRST_ENDPOINT } from '../webhooks/claim-deliveries.ts';
import { createGiveUp } from './give-up.ts';

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

it('gives up deliveries that arrive while others of the same endpoint are being given up', async () => {
  const { id: bookId } = await createTestBook(test.database);
  const endpoint = await storeTestEndpoint(test.database, { bookId });
  await storeTestDeliveries(test.database, endpoint, { count: 2 });
  const { deliveries } = await claimDeliveries(test.database, {
    leaseOwner: randomUUID(),
    afterEndpoint: FIRST_ENDPOINT,
    taken: [],
    perEndpointMax: 2,
    max: 2,
  });
  const text = `update webhook_endpoints set status = 'disabled', disabled_reason = 'Gone.' where id = $1`;
  await test.database.query({ name: '', text }, [endpoint.id]);
  const giveUp = createGiveUp({ database: test.database, logger: { warn: () => assert.fail() } });
  for (const delivery of deliveries) giveUp.begin([delivery]);
  await pollUntil('both to be given up', async () =>
    (await readDeliveries(test.database, endpoint.id)).every(({ state }) => state === 'failed'),
  );
  assert.equal(deliveries.length, 2);
  await giveUp.stop();
});
