import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

const MERCHANTS = 20;
/** Times that everybody pays once, with all receivers sound and with one that hangs. */
const WAVES = 40;
const WAVE_INTERVAL_MS = 100;
/** The promise, and what two runs on a busy machine differ by anyway. */
const SLOWER_MAX = 1.2;
const NOISE_MS = 25;

let test: TestDatabase;
let service: RunningService;
let receiver: WebhookReceiver;
const merchants: TestMerchant[] = [];
let hangs = false;

before(async () => {
  test = await createTestDatabase();
  // The path of an endpoint is its merchant's number, and the first merchant's receiver may hang.
  receiver = await startWebhookReceiver({
    script: ({ path }) => (hangs && path === '/0' ? 'hang' : { status: 200 }),
  });
  service = await startService({
    databaseUrl: test.connectionString,
    env: {
      WEBHOOKS_TO_LOOPBACK: '1',
      WEBHOOK_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
  });
  for (let n = 0; n < MERCHANTS; n += 1) {
    const merchant = await createTestMerchant(test.database);
    merchants.push(merchant);
    assert.equal(await post(merchant, 'webhooks', { url: receiver.url(`/${n}`) }), 201);
  }
});
after(async () => {
  await service?.end('SIGKILL');
  await receiver?.close();
  await test.drop();
});

async function post(merchant: TestMerchant, path: string, body: object): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

function pay(merchant: TestMerchant): Promise<number> {
  return post(merchant, 'transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
  });
}

/** From the event to the receiver, for all merchants but the first. */
async function measureDelays(): Promise<number[]> {
  const before = receiver.journal.length;
  for (let wave = 0; wave < WAVES; wave += 1) {
    const paid = await Promise.all([...merchants.map(pay), pause(WAVE_INTERVAL_MS)]);
    assert.ok(paid.every((status) => status === 201 || status === undefined));
  }
  const others = () => receiver.journal.slice(before).filter(({ path }) => path !== '/0');
  const successes = () => others().filter(({ body }) => body.includes('"transfer.successful"'));
  await pollUntil('all to be told', () => successes().length === WAVES * (MERCHANTS - 1));
  return others().map(({ body, atMs }) => {
    const { createdAt } = JSON.parse(body) as { createdAt: string };
    return performance.timeOrigin + atMs - Date.parse(createdAt);
  });
}

function p95(delays: readonly number[]): number {
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length * 0.95)] ?? 0;
}

it('an endpoint that hangs delays nobody else', async (t) => {
  await measureDelays();
  const sound = p95(await measureDelays());
  hangs = true;
  const oneHangs = p95(await measureDelays());
  t.diagnostic(`p95 ${sound.toFixed(0)} ms, with one that hangs ${oneHangs.toFixed(0)} ms`);
  const hanging = receiver.journal.filter(({ behaviour }) => behaviour === 'hang');
  assert.ok(hanging.length > 0);
  assert.ok(oneHangs <= sound * SLOWER_MAX + NOISE_MS, `${oneHangs} ms instead of ${sound} ms`);
});
