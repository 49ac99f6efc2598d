import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { pollUntil } from '../poll.ts';
import { type RunningService, startService } from '../running-service.ts';
import { createTestDatabase, type TestDatabase } from '../test-database.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';

let test: TestDatabase;
let service: RunningService;
let locked: TestMerchant;
let other: TestMerchant;

before(async () => {
  test = await createTestDatabase();
  locked = await createTestMerchant(test.database);
  other = await createTestMerchant(test.database);
  const env = { SANDBOX_DELAY_MS: '300' };
  service = await startService({ databaseUrl: test.connectionString, env });
});
after(async () => {
  await service.end('SIGKILL');
  await test.drop();
});

async function call(merchant: TestMerchant, path: string, body?: object) {
  const response = await fetch(`${service.baseUrl}/api/v1/payments/${path}`, {
    headers: { 'x-api-key': merchant.keys.test, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const { data } = (await response.json()) as { data: { id: string; status: string } };
  return { status: response.status, data };
}

/** A number that is paid after ten times the sandbox's delay, which is enough time to lock its wallet. */
const SLOW_PHONE = '0977433931';

function pay(merchant: TestMerchant, phone = '0977433571') {
  return call(merchant, 'transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone,
    operator: 'mtn',
    country: 'zm',
    walletId: merchant.wallets.test.ZMW,
  });
}

async function isPaid(merchant: TestMerchant, id: string): Promise<boolean> {
  return (await call(merchant, `transfers/${id}`)).data.status === 'successful';
}

/** Keeps the wallet of one merchant locked while the work runs, however long that takes. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: test.connectionString });
  await client.connect();
  try {
    await client.query('begin');
    const id = locked.wallets.test.ZMW;
    await client.query('select from wallets where id = $1 for update', [id]);
    await work();
  } finally {
    await client.end();
  }
}

async function untilMoveWaits(): Promise<void> {
  await pollUntil('an outcome to wait for the wallet', async () => {
    const [row] = await test.database.query<{ waits: boolean }>({
      name: '',
      text: `
        select exists (
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'
        ) as waits`,
    });
    return row?.waits === true;
  });
}

describe('a wallet that stays locked', () => {
  it('delays no payout of another book, and its own is accepted once it is unlocked', async () => {
    let waiting: ReturnType<typeof pay> | undefined;
    await whileLocked(async () => {
      waiting = pay(locked);
      const beside = await Promise.all([pay(other), pay(other)]);
      assert.deepEqual(
        beside.map(({ status }) => status),
        [201, 201],
      );
      assert.equal((await pay(other)).status, 201);
    });
    assert.equal((await waiting)?.status, 201);
  });

  it('delays no outcome of another book, and its own is recorded once it is unlocked', async () => {
    const own = await pay(locked, SLOW_PHONE);
    await whileLocked(async () => {
      await untilMoveWaits();
      const beside = await pay(other);
      await pollUntil('the other to be paid', () => isPaid(other, beside.data.id));
      assert.equal(await isPaid(locked, own.data.id), false);
    });
    await pollUntil('its own to be paid', () => isPaid(locked, own.data.id));
  });

  it('gets 503 at last if it stays locked, and nothing is stored', async () => {
    await whileLocked(async () => {
      const answers = await Promise.all([pay(locked), pay(locked)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [503, 503],
      );
      assert.equal((await pay(other)).status, 201);
    });
  });
});
