import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listStuck } from '../../src/resolutions/list-stuck.ts';
import { startService } from '../running-service.ts';
import { createTestDatabase } from '../test-database.ts';
import { createTestMerchant } from '../test-merchant.ts';
import {
  assertRefused,
  brokenFields,
  createApiClient,
  fieldsOf,
  listOf,
  readTransfer,
  type Transfer,
} from './api-client.ts';
import { newReference, openContract, poll, TRANSFERS } from './open-contract.ts';
import { openOwnerClient } from './owner-client.ts';

const SEND_WITHIN_MS = 5_000;
const HOUR_MS = 60 * 60_000;
const contract = await openContract();
after(() => contract.close());
const { api, order, database } = contract;

const person = await openOwnerClient({ database, api: contract.apiWith() }, contract.merchant);

const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

async function statesOf(id: string): Promise<readonly string[]> {
  const { data } = await api.get(`transfers/${id}/history`);
  return listOf(data.items).map(({ state }) => String(state));
}

/** As if the service had been down since: the time of the transfer is now that long ago, by the database's clock. */
async function makeLate({ id }: Transfer, late: string): Promise<void> {
  const text = `
    update transfers set send_at = now() - $2::interval, next_action_at = now() - $2::interval
    where id = $1`;
  await database.query({ name: '', text }, [id, late]);
}

// They mostly wait.
describe('a transfer with sendAt', { concurrency: 6 }, () => {
  it('is scheduled with its funds held, and says so in its event', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 500n });
    const sendAt = ahead(48 * HOUR_MS);
    const made = await contract.initiate({ walletId, sendAt, amount: 2 });
    assert.deepEqual([made.state, made.status, made.sendAt], ['scheduled', 'pending', sendAt]);
    const wallet = (await api.get(`wallets/${walletId}`)).data;
    assert.deepEqual([wallet.available, wallet.held], ['3.00', '2.00']);
    assert.deepEqual(await statesOf(made.id), ['scheduled']);
    const { data } = await poll(
      () => api.get('events?type=transfer.created&limit=100'),
      ({ text }) => text.includes(made.id),
    );
    const event = listOf(data.items).find((one) => fieldsOf(one.data).id === made.id);
    assert.equal(fieldsOf(event?.data).state, 'scheduled');
    const { why } = (await person.get(`transfers/${made.id}/timeline`)).data;
    assert.equal(fieldsOf(why).next, sendAt);
    assert.equal((await contract.initiate({})).sendAt, null);
  });

  it('takes any offset, and times up to 90 days ahead', async () => {
    const day = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10);
    for (const [sendAt, utc] of [
      [`${day}T23:30:00+02:00`, `${day}T21:30:00.000Z`],
      [`${day}T23:30Z`, `${day}T23:30:00.000Z`],
      [`${day}T10:00:00.123456-01:30`, `${day}T11:30:00.123Z`],
      [ahead(90 * 24 * HOUR_MS - 60_000), undefined],
      [null, null],
    ]) {
      const { sendAt: shown } = await contract.initiate({ sendAt });
      assert.equal(shown, utc === undefined ? sendAt : utc);
    }
  });

  it('is refused for a time that is no time, has passed or is too far ahead', async () => {
    const day = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10);
    const wrong = [
      '',
      'tomorrow',
      day,
      `${day}T10:00:00`,
      `${day} 10:00:00Z`,
      `${day}T25:00:00Z`,
      `${day}T10:00:00 02:00`,
      '2027-02-30T10:00:00Z',
      1_800_000_000,
      {},
      true,
      ahead(-1_000),
      ahead(90 * 24 * HOUR_MS + 60_000),
    ];
    for (const sendAt of wrong) {
      const reference = newReference();
      const answer = await api.post(TRANSFERS, order({ reference, sendAt }));
      assertRefused(answer, 400, 'VALIDATION_ERROR');
      assert.deepEqual(brokenFields(answer), { sendAt: 'INVALID_SEND_AT' }, answer.text);
      assert.equal((await api.get(`transfers/status/${reference}`)).status, 404);
    }
    const all = await api.post(TRANSFERS, order({ amount: 'x', sendAt: ahead(-1_000) }));
    assert.deepEqual(brokenFields(all), { amount: 'INVALID_AMOUNT', sendAt: 'INVALID_SEND_AT' });
    const { data } = await api.post(`${TRANSFERS}/preflight`, order({ sendAt: ahead(-1_000) }));
    assert.equal(data.wouldAccept, false);
    assert.deepEqual(
      listOf(data.problems).map(({ field }) => field),
      ['sendAt'],
    );
  });

  it('is sent at its time, within 5 seconds and never early', async () => {
    const sendAt = new Date(Date.now() + 5_000);
    const made = await contract.initiate({ sendAt: sendAt.toISOString() });
    const paid = await contract.transferOnce(made.id, ({ state }) => state === 'succeeded');
    assert.equal(paid.sendAt, sendAt.toISOString());
    const { data } = await api.get(`transfers/${made.id}/history`);
    const history = listOf(data.items);
    assert.deepEqual(
      history.map(({ state }) => state),
      ['scheduled', 'queued', 'submitting', 'succeeded'],
    );
    const [, queued, submitting] = history;
    assert.deepEqual(
      [queued?.cause, queued?.actor],
      ['its time to be sent has come', 'system:schedule'],
    );
    assert.ok(Date.parse(String(queued?.at)) >= sendAt.getTime());
    assert.ok(Date.parse(String(submitting?.at)) <= sendAt.getTime() + SEND_WITHIN_MS);
  });

  it('behaves in a test book at its time as any other does when it is ordered', async () => {
    const sendAt = ahead(5_000);
    const made = await contract.initiate({ phone: '0977433941', sendAt });
    await contract.transferOnce(made.id, ({ state }) => state === 'succeeded');
    // The operator is down for a second from the time at which it was to be sent.
    const { data } = await api.get(`transfers/${made.id}/history`);
    const submitting = listOf(data.items).find(({ state }) => state === 'submitting');
    assert.ok(Date.parse(String(submitting?.at)) >= Date.parse(sendAt) + 950);
  });

  it('can be cancelled before its time, and is then never sent', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 500n });
    const sendAt = ahead(5_000);
    const { id } = await contract.initiate({ walletId, sendAt });
    const answer = await api.post(`transfers/${id}/cancel`, {});
    assert.equal(readTransfer(answer.data).state, 'cancelled');
    assert.equal((await api.get(`wallets/${walletId}`)).data.available, '5.00');
    const next = await contract.initiate({ sendAt });
    await contract.transferOnce(next.id, ({ state }) => state === 'succeeded');
    assert.deepEqual(await statesOf(id), ['scheduled', 'cancelled']);
  });

  it('is found by a repeated call even after its time', async () => {
    const body = order({ sendAt: ahead(5_000) });
    const key = { 'idempotency-key': newReference() };
    const first = await api.post(TRANSFERS, body, key);
    assert.equal(first.status, 201);
    const { id } = readTransfer(first.data);
    await contract.transferOnce(id, ({ state }) => state === 'succeeded');
    const again = await api.post(TRANSFERS, body, key);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.deepEqual(again.data, first.data);
    const duplicate = await api.post(TRANSFERS, body);
    assertRefused(duplicate, 409, 'DUPLICATE_REFERENCE');
    assert.equal(duplicate.data.samePayload, true);
    for (const sendAt of [undefined, ahead(HOUR_MS)]) {
      const other = await api.post(TRANSFERS, { ...body, sendAt });
      assert.equal(other.data.samePayload, false);
    }
  });

  it('counts towards the limit of the day on which it is accepted', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 5_000n });
    const limit = 'update wallets set daily_limit_minor = 1000 where id = $1';
    await database.query({ name: '', text: limit }, [walletId]);
    const sendAt = ahead(72 * HOUR_MS);
    await contract.initiate({ walletId, sendAt, amount: 10 });
    const more = await api.post(TRANSFERS, order({ walletId, sendAt: ahead(96 * HOUR_MS) }));
    assertRefused(more, 422, 'LIMIT_EXCEEDED');
  });

  it('is scheduled in a bulk call, each for itself', async () => {
    const sendAt = ahead(5_000);
    const transfers = [
      order({ sendAt }),
      order(),
      order({ sendAt: ahead(-5_000) }),
      order({ sendAt }),
    ];
    const { data } = await api.post(`${TRANSFERS}/bulk`, { transfers });
    assert.equal(data.accepted, 3);
    const results = listOf(data.results).map((result) => fieldsOf(result.data));
    const states = results.map(({ state }) => state);
    assert.deepEqual([states[0], states[3]], ['scheduled', 'scheduled']);
    assert.notEqual(states[1], 'scheduled');
    for (const index of [0, 3]) {
      const id = String(results[index]?.id);
      await contract.transferOnce(id, ({ state }) => state === 'succeeded');
    }
  });

  it('is sent at once when it is late by less than a day, by the clock of the database', async () => {
    const made = await contract.initiate({ sendAt: ahead(24 * HOUR_MS) });
    await makeLate(made, '23 hours 59 minutes');
    await contract.transferOnce(made.id, ({ state }) => state === 'succeeded');
    assert.deepEqual(await statesOf(made.id), ['scheduled', 'queued', 'submitting', 'succeeded']);
  });

  it('waits for a person when it is later, is listed as stuck, and can be recalled', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 500n });
    const made = await contract.initiate({ walletId, sendAt: ahead(24 * HOUR_MS) });
    await makeLate(made, '24 hours 1 minute');
    await contract.transferOnce(made.id, ({ state }) => state === 'awaiting_approval');
    assert.equal((await api.get(`wallets/${walletId}`)).data.held, '1.00');
    const filter = { mode: null, merchantId: contract.merchant.id, operator: null };
    const { stuck } = await listStuck(database, filter);
    const listed = stuck.find(({ id }) => id === made.id);
    assert.equal(listed?.reason, 'SEND_TIME_MISSED');
    const { why } = (await person.get(`transfers/${made.id}/timeline`)).data;
    const { line, action } = fieldsOf(why);
    assert.match(String(line), /its time had passed longer ago than the policy allows\./);
    assert.match(String(action), /^An approver or an owner decides/);
    const history = listOf((await api.get(`transfers/${made.id}/history`)).data.items);
    assert.equal(history[1]?.cause, 'its time to be sent passed longer ago than the policy allows');
    const { data } = await api.post(`transfers/${made.id}/recall`, {});
    assert.equal(readTransfer(data).state, 'cancelled');
    assert.equal((await api.get(`wallets/${walletId}`)).data.available, '5.00');
    assert.deepEqual(await statesOf(made.id), ['scheduled', 'awaiting_approval', 'cancelled']);
  });

  it('waits while its merchant is suspended', async () => {
    const merchant = await createTestMerchant(database);
    const theirs = contract.apiWith(merchant.keys.test);
    const body = order({ walletId: merchant.wallets.test.ZMW, sendAt: ahead(5_000) });
    const made = readTransfer((await theirs.post(TRANSFERS, body)).data);
    const suspend = (at: string) =>
      database.query(
        { name: '', text: `update books set suspended_at = ${at} where merchant_id = $1` },
        [merchant.id],
      );
    await suspend('now()');
    const stateOf = async () => readTransfer((await theirs.get(`transfers/${made.id}`)).data).state;
    const other = await contract.initiate({ sendAt: body.sendAt });
    await contract.transferOnce(other.id, ({ state }) => state === 'succeeded');
    await wait(1_000);
    assert.equal(await stateOf(), 'scheduled');
    await suspend('null');
    await poll(stateOf, (state) => state === 'succeeded');
  });
});

describe('several processes', () => {
  it('send once what was due while the service was down, and what becomes due while all run', async (t) => {
    const test = await createTestDatabase();
    t.after(() => test.drop());
    const merchant = await createTestMerchant(test.database);
    const start = () => startService({ databaseUrl: test.serviceUrl });
    const schedule = async (baseUrl: string, sendAt: string) => {
      const walletId = merchant.wallets.test.ZMW;
      const transfers = Array.from({ length: 300 }, () => order({ walletId, sendAt }));
      const client = createApiClient(baseUrl, merchant.keys.test);
      assert.equal((await client.post(`${TRANSFERS}/bulk`, { transfers })).data.accepted, 300);
    };
    const count = async (where: string) => {
      const text = `select count(*)::integer as count from ${where}`;
      return (await test.database.query<{ count: number }>({ name: '', text }))[0]?.count;
    };
    const sentOnce = async (wanted: number) => {
      await poll(
        () => count(`transfers where state = 'succeeded' and event_seq = 4`),
        (sent) => sent === wanted,
      );
      assert.equal(await count(`events where to_state = 'queued'`), wanted);
      assert.equal(await count(`events where to_state = 'submitting'`), wanted);
    };
    const before = await start();
    const sendAt = ahead(5_000);
    await schedule(before.baseUrl, sendAt);
    await before.end('SIGKILL');
    await wait(Math.max(0, Date.parse(sendAt) - Date.now()));
    const processes = await Promise.all([start(), start(), start()]);
    t.after(() => Promise.all(processes.map((one) => one.end())));
    await sentOnce(300);
    await schedule(processes[0].baseUrl, ahead(5_000));
    await sentOnce(600);
  });
});
