import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startPayoutLoad } from '../payout-load.ts';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';

const DRAIN_MAX_MS = 10_000;
/** Late enough not to be merged with the first signal, sooner than a person would send a second one. */
const ECHO_AFTER_MS = 50;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
let test: TestDatabase;
let merchant: TestMerchant;
let service: RunningService;

before(async () => {
  test = await createTestDatabase();
  merchant = await createTestMerchant(test.database);
  service = await startService({ databaseUrl: test.serviceUrl });
});
after(async () => {
  await service.end('SIGKILL');
  await test.drop();
});

/**
 * Sends the head of a request, waits for 100 Continue, and sends half of the body; returns a function that finishes it,
 * and the answer.
 */
function beginRequest(): Promise<{ finish(): void; answer: Promise<string> }> {
  const body = JSON.stringify({
    amount: 1,
    reference: 'half-sent',
    phone: '0977433571',
    operator: 'mtn',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
  });
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.write(
        `POST /api/v1/payments/transfers/mobile-money HTTP/1.1\r\nhost: kafue\r\n` +
          `x-api-key: ${merchant.keys.test}\r\ncontent-type: application/json\r\n` +
          `expect: 100-continue\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
    });
    const answer = new Promise<string>((done) => socket.on('close', () => done(text)));
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text !== CONTINUE) return;
      text = '';
      socket.write(body.slice(0, 20));
      resolve({ finish: () => socket.write(body.slice(20)), answer });
    });
  });
}

it('finishes requests under way on SIGTERM, also if it is sent twice, refuses new ones with 503, and ends in time', async (t) => {
  const walletId = merchant.wallets.test.ZMW;
  const load = startPayoutLoad(
    { baseUrl: () => service.baseUrl, key: merchant.keys.test, walletId },
    { clients: 8, prefix: 'drain' },
  );
  t.after(() => load.stop());
  await pollUntil('some load', () => load.asked.length > 50);
  const request = await beginRequest();
  const startedMs = performance.now();
  const ended = service.end('SIGTERM');
  await pause(ECHO_AFTER_MS);
  process.kill(service.pid, 'SIGTERM');
  await pollUntil('new requests to be refused', () =>
    load.asked.some(({ answers }) => answers.includes(503)),
  );
  request.finish();
  assert.match(await request.answer, /^HTTP\/1\.1 201 /);
  assert.equal(await ended, 0);
  assert.ok(performance.now() - startedMs < DRAIN_MAX_MS);
  await load.stop();
  const odd = load.asked
    .flatMap(({ answers }) => answers)
    .filter((status) => ![201, 409, 503].includes(status));
  assert.deepEqual(odd, []);
  const rows = await test.database.query<{ id: string }>(
    { name: '', text: 'select id from transfers where wallet_id = $1' },
    [walletId],
  );
  const stored = new Set(rows.map(({ id }) => id));
  for (const { acknowledged } of load.asked) {
    if (acknowledged !== undefined) assert.ok(stored.has(acknowledged));
  }
});
