import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  at,
  call,
  enquireAbout,
  headersFor,
  idOf,
  orderFor,
  pay,
  type Reply,
} from './airtel-caller.ts';
import { startAirtelForTest, type TestAirtel } from './start-for-test.ts';

let emulator: TestAirtel;
before(async () => {
  emulator = await startAirtelForTest();
});
after(() => emulator[Symbol.asyncDispose]());

async function get(path: string, country: 'ZM' | 'NG' = 'ZM'): Promise<Reply> {
  return call(emulator, { path, headers: await headersFor(emulator, country) });
}

describe('a status enquiry', () => {
  it('is answered the same under every API version', async () => {
    const order = await orderFor(emulator, 'v1');
    await pay(emulator, order, 'v1');
    const id = idOf(order);
    const transaction = {
      id,
      message: 'Transaction is successful',
      status: 'TS',
      airtel_money_id: emulator.backend.find(id)?.operatorTransactionId,
    };
    for (const version of ['v1', 'v2', 'v3'] as const) {
      const reply = await enquireAbout(emulator, id, version);
      assert.equal(reply.status, 200);
      assert.deepEqual(reply.body, {
        data: { transaction },
        status: {
          response_code: 'DP00900001001',
          code: '200',
          success: true,
          result_code: 'ESB000010',
          message: 'SUCCESS',
        },
      });
    }
  });

  it('does not find what was never sent, or what is of another type', async () => {
    const order = await orderFor(emulator, 'v3');
    await pay(emulator, order);
    for (const reply of [
      await enquireAbout(emulator, 'NEVERSENT'),
      await enquireAbout(emulator, idOf(order), 'v3', '?transactionType=B2B'),
    ]) {
      assert.equal(reply.status, 200);
      assert.equal(at(reply, 'status.response_code'), 'DP00900001015');
      assert.equal(at(reply, 'status.success'), false);
      assert.equal(at(reply, 'data'), undefined);
    }
    const untyped = await enquireAbout(emulator, idOf(order), 'v3', '');
    assert.equal(at(untyped, 'data.transaction.status'), 'TS');
  });

  it('refuses an unknown type', async () => {
    const reply = await enquireAbout(emulator, 'PO1', 'v2', '?transactionType=C2B');
    assert.equal(at(reply, 'status.response_code'), 'ROUTER003');
  });

  it('can be unavailable, for one payout or for all', async () => {
    emulator.chooser.setRules([{ match: {}, behaviour: { inquiry: 'down' }, times: 1 }]);
    const order = await orderFor(emulator, 'v3');
    await pay(emulator, order);
    const reply = await enquireAbout(emulator, idOf(order));
    assert.equal(reply.status, 500);
    assert.equal(at(reply, 'status.result_code'), 'ESB000014');
    assert.equal(at(reply, 'data'), undefined);

    const other = await orderFor(emulator, 'v3');
    await pay(emulator, other);
    emulator.setAnswer('enquiry', 'ROUTER117');
    const all = await enquireAbout(emulator, idOf(other));
    assert.equal(all.status, 500);
    assert.equal(at(all, 'status.response_code'), 'ROUTER117');
    emulator.setAnswer('enquiry', null);
    const again = await enquireAbout(emulator, idOf(other));
    assert.equal(at(again, 'data.transaction.status'), 'TS');
  });

  it('can contradict itself', async () => {
    emulator.chooser.setRules([{ match: {}, behaviour: { inquiry: 'contradictory' }, times: 1 }]);
    const order = await orderFor(emulator, 'v3');
    assert.equal(at(await pay(emulator, order), 'data.transaction.status'), 'TS');
    const says: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const reply = await enquireAbout(emulator, idOf(order));
      says.push(at(reply, 'data.transaction.status'));
    }
    assert.deepEqual(says, ['TF', 'TS', 'TS']);
  });
});

describe('a user enquiry', () => {
  for (const version of ['v1', 'v2']) {
    it(`of ${version} returns the name of a number, with the operator’s spelling`, async () => {
      const reply = await get(`/standard/${version}/users/977123456`);
      const name = emulator.backend.accountName('260977123456');
      assert.equal(reply.status, 200);
      assert.equal(at(reply, 'data.first_name'), name?.given);
      assert.equal(at(reply, 'data.last_name'), name?.family);
      assert.equal(at(reply, 'data.msisdn'), '977123456');
      assert.equal(at(reply, 'data.is_barred'), false);
      assert.equal(at(reply, 'data.nationatility'), 'ZM');
      assert.equal(at(reply, 'status.response_code'), 'DP02200000001');
      assert.equal(at(reply, 'status.result_code'), 'DP02200000001');
      assert.equal(at(reply, 'status.success'), true);
    });
  }

  it('finds Nigerian numbers by their ten digits', async () => {
    const reply = await get('/standard/v1/users/8021234567', 'NG');
    assert.equal(at(reply, 'data.nationatility'), 'NG');
  });

  it('does not find a number without an account', async () => {
    const reply = await get('/standard/v1/users/977123901');
    assert.equal(at(reply, 'status.response_code'), 'DP02200000002');
    assert.equal(at(reply, 'status.result_code'), 'DP02200000002');
    assert.equal(at(reply, 'status.success'), false);
    assert.equal(at(reply, 'data'), undefined);
  });

  it('refuses numbers that are not in national form', async () => {
    for (const [number, resultCode] of [
      ['260977123456', 'ESB000036'],
      ['0977123456', 'ESB000036'],
      ['97712345', 'ESB000033'],
      ['097712345', 'ESB000008'],
      ['97712345x', 'ESB000008'],
    ]) {
      const reply = await get(`/standard/v1/users/${number}`);
      assert.equal(at(reply, 'status.response_code'), 'DP02200000000', number);
      assert.equal(at(reply, 'status.result_code'), resultCode, number);
    }
  });

  it('shows that a user is barred', async () => {
    const reply = await get('/standard/v1/users/977123903');
    assert.equal(at(reply, 'data.is_barred'), true);
  });

  it('can fail, and can return the phone number as a JSON number', async () => {
    emulator.setAnswer('users', 'DP02200000000');
    const failed = await get('/standard/v1/users/977123456');
    assert.equal(at(failed, 'status.response_code'), 'DP02200000000');
    emulator.setAnswer('users', null);
    await using other = await startAirtelForTest({ settings: { msisdnAsNumber: true } });
    const headers = await headersFor(other);
    const reply = await call(other, { path: '/standard/v2/users/977123456', headers });
    assert.equal(at(reply, 'data.msisdn'), 977123456);
  });
});

describe('a balance enquiry', () => {
  it('returns the remaining float in the currency of the country', async () => {
    await using other = await startAirtelForTest({ floatMinor: 3_775_050n });
    await pay(other, await orderFor(other, 'v3'));
    const headers = await headersFor(other);
    for (const path of ['/standard/v1/users/balance', '/standard/v2/users/balance?type=DISB']) {
      const reply = await call(other, { path, headers });
      assert.equal(reply.status, 200);
      assert.deepEqual(at(reply, 'data'), {
        balance: '37600.00',
        currency: 'ZMW',
        account_status: 'Active',
      });
      assert.equal(at(reply, 'status.response_code'), 'DP02100000001');
    }
    const naira = await call(other, {
      path: '/standard/v1/users/balance',
      headers: await headersFor(other, 'NG'),
    });
    assert.equal(at(naira, 'data.balance'), '37750.50');
    assert.equal(at(naira, 'data.currency'), 'NGN');
  });

  it('of v2 requires a known type', async () => {
    const missing = await get('/standard/v2/users/balance');
    assert.equal(missing.status, 400);
    assert.equal(at(missing, 'status.response_code'), 'ROUTER003');
    const wrong = await get('/standard/v2/users/balance?type=MINE');
    assert.equal(at(wrong, 'status.response_code'), 'DP02100000000');
    const other = await get('/standard/v2/users/balance?type=COLL');
    assert.equal(at(other, 'data.balance'), '0.00');
  });

  it('can fail with any of its codes', async () => {
    for (const code of ['DP02100000000', 'DP02100000002']) {
      emulator.setAnswer('balance', code);
      const reply = await get('/standard/v1/users/balance');
      assert.equal(at(reply, 'status.response_code'), code);
      assert.equal(at(reply, 'status.success'), false);
    }
    emulator.setAnswer('balance', null);
  });
});

describe('any other path', () => {
  it('does not exist', async () => {
    for (const path of ['/', '/standard/v3/users/977123456', '/standard/v1/users/', '/auth']) {
      assert.equal((await get(path)).status, 404, path);
    }
  });
});
