import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { volume } from '../../../scripts/test-volume.ts';
import { pollUntil } from '../poll.ts';
import { startService } from '../running-service.ts';
import { createTestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';

const MERCHANTS = 20;
/** Times that every merchant pays once. The first waves only warm up. */
const WAVES = volume({ usual: 20, full: 40 });
const WARM_UP_WAVES = volume({ usual: 6, full: 10 });
const WAVE_INTERVAL_MS = 250;
/**
 * A receiver that hangs does so for 15 seconds: a delivery that waits for it is late by far more than the difference
 * between two services on one busy machine. The ratio itself is printed.
 */
const SLOWER_MAX = 2;
const NOISE_MS = 250;

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});

type Site = Awaited<ReturnType<typeof openSite>>;

/** A service with its own database, and 20 merchants with one endpoint each. */
async function openSite({ firstHangs }: Readonly<{ firstHangs: boolean }>) {
  const test = await createTestDatabase();
  closers.push(test.drop);
  // The path of an endpoint is its merchant's number.
  const receiver = await startWebhookReceiver({
    script: ({ path }) => (firstHangs && path === '/0' ? 'hang' : { status: 200 }),
  });
  closers.push(receiver.close);
  const service = await startService({
    databaseUrl: test.serviceUrl,
    env: {
      WEBHOOKS_TO_LOOPBACK: '1',
      WEBHOOK_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    },
  });
  closers.push(() => service.end('SIGKILL'));
  const merchants: TestMerchant[] = [];
  for (let n = 0; n < MERCHANTS; n += 1) {
    const merchant = await createTestMerchant(test.database);
    merchants.push(merchant);
    const created = await post(service, merchant, { path: 'webhooks', url: receiver.url(`/${n}`) });
    assert.equal(created, 201);
  }
  return { service, receiver, merchants };
}

async function post(
  service: Readonly<{ baseUrl: string }>,
  merchant: TestMerchant,
  { path, ...body }: Readonly<{ path: string; [field: string]: unknown }>,
): Promise<number> {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    method: 'POST',
    headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

function payWave({ service, merchants }: Site): Promise<number[]> {
  return Promise.all(
    merchants.map((merchant) =>
      post(service, merchant, {
        path: 'transfers/mobile-money',
        amount: 1,
        reference: randomUUID(),
        phone: '0977433571',
        operator: 'airtel',
        country: 'zm',
        walletId: merchant.wallets.test.ZMW,
      }),
    ),
  );
}

const endsTold = ({ receiver }: Site): number =>
  receiver.journal.filter(
    ({ path, body }) => path !== '/0' && body.includes('"transfer.successful"'),
  ).length;

/** From the event to the receiver, for all merchants but the first: the 95th percentile. */
function p95({ receiver }: Site, afterMs: number): number {
  const delays = receiver.journal
    .filter(({ path, atMs }) => path !== '/0' && atMs > afterMs)
    .map(({ body, atMs }) => {
      const { createdAt } = JSON.parse(body) as { createdAt: string };
      return performance.timeOrigin + atMs - Date.parse(createdAt);
    })
    .toSorted((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.95)] ?? 0;
}

it('an endpoint that hangs delays no other', async (t) => {
  const [sound, hanging] = [
    await openSite({ firstHangs: false }),
    await openSite({ firstHangs: true }),
  ];
  const sites = [sound, hanging];
  let warmMs = 0;
  // In parallel, so that other load on the machine slows both.
  for (let wave = 0; wave < WAVES; wave += 1) {
    if (wave === WARM_UP_WAVES) warmMs = performance.now();
    const [paid] = await Promise.all([Promise.all(sites.map(payWave)), pause(WAVE_INTERVAL_MS)]);
    assert.ok(paid.flat().every((status) => status === 201));
  }
  const wanted = WAVES * (MERCHANTS - 1);
  await pollUntil('all to be delivered', () => sites.every((site) => endsTold(site) === wanted));
  const [soundMs, hangingMs] = [p95(sound, warmMs), p95(hanging, warmMs)];
  t.diagnostic(`p95 ${soundMs.toFixed(0)} ms, with one that hangs ${hangingMs.toFixed(0)} ms`);
  assert.ok(hanging.receiver.journal.some(({ behaviour }) => behaviour === 'hang'));
  const message = `${hangingMs} ms instead of ${soundMs} ms`;
  assert.ok(hangingMs <= soundMs * SLOWER_MAX + NOISE_MS, message);
});
