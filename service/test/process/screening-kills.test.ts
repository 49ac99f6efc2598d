import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import { addScreener } from '../../src/screening/add-screener.ts';
import { expireScreeningLeases } from '../../src/screening/claim-screenings.ts';
import { createSealer } from '../../src/webhooks/seal-secret.ts';
import { pollUntil } from '../poll.ts';
import { putPolicy } from '../put-policy.ts';
import { type RunningService, startService, TEST_SEALING_KEY } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

let test: TestDatabase;
let merchant: TestMerchant;
let receiver: WebhookReceiver;
const services: RunningService[] = [];
before(async () => {
  test = await createTestDatabase();
  merchant = await createTestMerchant(test.database);
  const body = '{"decision":"allow"}';
  receiver = await startWebhookReceiver({ script: () => ({ status: 200, body }) });
  const owner = await storePerson(test.database, {
    roles: [{ merchantId: merchant.id, role: 'owner' }],
  });
  const bookId = merchant.books.test;
  await addScreener(
    {
      database: test.database,
      sealer: createSealer([TEST_SEALING_KEY]),
      now: () => new Date(),
      newId: randomUUID,
      randomBytes: (size) => randomBytes(size),
    },
    {
      actor: { kind: 'person', id: owner.id, name: owner.name, merchantId: merchant.id },
      owner: { bookId, merchantId: merchant.id },
      name: 'payouts',
      url: new URL(receiver.url('/')),
      deadlineMs: 10_000,
    },
  );
  const terms = { feeTerms: { fixedMinor: 0n, basisPoints: 0 }, isSuspended: false };
  const book = {
    id: bookId,
    merchantId: merchant.id,
    mode: 'test',
    controlsVersion: null,
  } as const;
  await putPolicy(test.database, { ...book, ...terms }, [
    { name: 'all', when: { amountAtLeast: '0.01' }, require: { screen: 'payouts' } },
  ]);
});
after(async () => {
  await Promise.all(services.map((service) => service.end('SIGKILL')));
  await receiver.close();
  await test.drop();
});

async function start(failpoints?: string): Promise<RunningService> {
  const service = await startService({
    databaseUrl: test.serviceUrl,
    env: {
      WEBHOOKS_TO_LOOPBACK: '1',
      ...(failpoints === undefined ? {} : { FAILPOINTS: failpoints }),
    },
  });
  services.push(service);
  return service;
}

async function pay({ baseUrl }: RunningService): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/payments/transfers/mobile-money`, {
    method: 'POST',
    headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 1,
      reference: randomUUID(),
      phone: '0977433571',
      operator: 'airtel',
      country: 'zm',
      walletId: merchant.wallets.test.ZMW,
    }),
  });
  const { data } = (await response.json()) as { data: { id: string; state: string } };
  assert.deepEqual([response.status, data.state], [201, 'awaiting_approval']);
  return data.id;
}

const read = (text: string, values: readonly unknown[]) =>
  test.database.query<Record<string, unknown>>({ name: '', text }, values);

function isDead({ pid }: RunningService): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

it('asks again, under the same id, what a killed process had the answer to, and pays once', async () => {
  const dying = await start('screener-answered:kill:1;7');
  const id = await pay(dying);
  await pollUntil('it died with the answer', () => isDead(dying));
  assert.equal(receiver.journal.length, 1);
  const [kept] = await read('select decision from screenings where transfer_id = $1', [id]);
  assert.equal(kept?.decision, null);
  await expireScreeningLeases(test.database);
  // Two at once: one of them has the question.
  await Promise.all([start(), start()]);
  await pollUntil('it is paid', async () => {
    const [transfer] = await read('select state from transfers where id = $1', [id]);
    return transfer?.state === 'succeeded';
  });
  const ids = receiver.journal.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
  const bodies = new Set(receiver.journal.map(({ body }) => body));
  assert.equal(bodies.size, 1);
  const moves = await read(
    `select to_state from events where subject_id = $1 and from_state = 'awaiting_approval'
     and to_state <> 'awaiting_approval'`,
    [id],
  );
  assert.deepEqual(moves, [{ to_state: 'queued' }]);
});
