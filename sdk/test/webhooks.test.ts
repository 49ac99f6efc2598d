import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { pollUntil } from '../../service/test/poll.ts';
import { type RunningService, startService } from '../../service/test/running-service.ts';
import { createTestDatabase, type TestDatabase } from '../../service/test/test-database.ts';
import { createTestMerchant, type TestMerchant } from '../../service/test/test-merchant.ts';
import { Kafue, type KafueEvent, verifyWebhook } from '../src/index.ts';
import { errorOf } from './test-client.ts';

let merchant: TestMerchant;
let kafue: Kafue;
type Receiver = Readonly<{
  url: string;
  /** Every event whose signature held. */
  events: KafueEvent[];
  /** What was refused, by the code of the error. */
  refused: unknown[];
  believe(...secrets: readonly string[]): void;
  close(): Promise<void>;
}>;

/** A receiver as merchants build one. */
async function startReceiver(): Promise<Receiver> {
  const events: KafueEvent[] = [];
  const refused: unknown[] = [];
  let believed: readonly string[] = [];
  const receive = async (request: IncomingMessage) => {
    const payload = await buffer(request);
    const { headers } = request;
    const event = await verifyWebhook({ payload, headers, secrets: believed });
    assert.equal(event.id, headers['webhook-id']);
    events.push(event);
  };
  const server: Server = createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(204).end(),
      (error: unknown) => {
        refused.push(error);
        response.writeHead(400).end('not believed');
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/kafue`,
    events,
    refused,
    believe(...secrets) {
      believed = secrets;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function pay(): Promise<string> {
  const reference = `ref-${randomUUID()}`;
  const order = { amount: 1, reference, phone: '0977433571', operator: 'mtn' } as const;
  await kafue.transfers.create({ ...order, country: 'zm', walletId: merchant.wallets.test.ZMW });
  return reference;
}

describe('webhooks of the running service', () => {
  let test: TestDatabase;
  let service: RunningService;
  before(async () => {
    test = await createTestDatabase();
    const env = { WEBHOOKS_TO_LOOPBACK: '1' };
    service = await startService({ databaseUrl: test.connectionString, env });
    merchant = await createTestMerchant(test.database);
    kafue = new Kafue({ apiKey: merchant.keys.test, baseUrl: service.baseUrl });
  });
  after(async () => {
    await service.end();
    await test.drop();
  });

  it('arrive, and are believed by either secret while one is rotated', async () => {
    const receiver = await startReceiver();
    try {
      const endpoint = await kafue.webhooks.create({
        url: receiver.url,
        events: ['transfer.successful'],
      });
      receiver.believe(endpoint.secret);
      const first = await pay();
      await pollUntil('the first is told of', () => receiver.events.length === 1);
      const rotated = await kafue.webhooks.rotateSecret(endpoint.id);
      assert.notEqual(rotated.secret, endpoint.secret);
      const second = await pay();
      await pollUntil('the second is told of', () => receiver.events.length === 2);
      receiver.believe(rotated.secret);
      const third = await pay();
      await pollUntil('the third is told of', () => receiver.events.length === 3);
      const told = receiver.events.map((event) =>
        event.type === 'transfer.successful' ? event.data.reference : event.type,
      );
      assert.deepEqual([told, receiver.refused], [[first, second, third], []]);
      await kafue.webhooks.delete(endpoint.id);
    } finally {
      await receiver.close();
    }
  });

  it('can be listed, changed, tried, replayed and deleted', async () => {
    const receiver = await startReceiver();
    try {
      const { secret, ...endpoint } = await kafue.webhooks.create({ url: receiver.url });
      receiver.believe(secret);
      assert.deepEqual(await kafue.webhooks.get(endpoint.id), endpoint);
      const events = ['transfer.failed'] as const;
      const changed = await kafue.webhooks.update(endpoint.id, { events });
      assert.deepEqual(changed, { ...endpoint, events });
      const listed = [];
      for await (const each of kafue.webhooks.list()) listed.push(each);
      assert.deepEqual(listed, [changed]);

      const delivery = await kafue.webhooks.test(endpoint.id);
      await pollUntil('the test event arrives', () => receiver.events.length === 1);
      await pollUntil('it is recorded', async () => {
        const { items } = await kafue.webhooks
          .deliveries(endpoint.id, { state: 'delivered' })
          .page();
        return items[0]?.id === delivery.id && items[0].attempts[0]?.status === 204;
      });
      await kafue.webhooks.replay(delivery.id);
      await pollUntil('it arrives once more', () => receiver.events.length === 2);
      assert.deepEqual(receiver.events[1], receiver.events[0]);
      assert.equal(receiver.events[0]?.type, 'webhook.test');

      await kafue.webhooks.delete(endpoint.id);
      const gone = await errorOf(kafue.webhooks.get(endpoint.id));
      assert.equal(gone.code, 'WEBHOOK_NOT_FOUND');
    } finally {
      await receiver.close();
    }
  });

  it('report nothing that is not in the events, also to a reader that continues from a cursor', async () => {
    const { nextCursor } = await lastPage(undefined);
    const reference = await pay();
    await pollUntil('its success is in the feed', async () => {
      const seen: string[] = [];
      for await (const event of kafue.events.list({ cursor: nextCursor ?? undefined, limit: 1 })) {
        if (event.type === 'transfer.created' || event.type === 'transfer.successful') {
          assert.equal(event.data.reference, reference);
        }
        seen.push(event.type);
      }
      return seen[0] === 'transfer.created' && seen.at(-1) === 'transfer.successful';
    });
    const end = await lastPage(nextCursor ?? undefined);
    const { items } = await lastPage(end.nextCursor ?? undefined);
    assert.deepEqual(items, []);
  });
});

async function lastPage(cursor: string | undefined) {
  let last = await kafue.events.list({ cursor }).page();
  for await (const page of kafue.events.list({ cursor }).pages()) last = page;
  return last;
}
