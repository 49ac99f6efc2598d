import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  at,
  call,
  enquireAbout,
  headersFor,
  idOf,
  orderFor,
  PAY_PATHS,
  pay,
} from './airtel-caller.ts';
import { startAirtelForTest, type TestAirtel } from './start-for-test.ts';

describe('a disbursement', () => {
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest();
  });
  after(() => emulator[Symbol.asyncDispose]());

  for (const version of ['v1', 'v2', 'v3'] as const) {
    it(`of ${version} is paid before it is answered, exactly as ordered`, async () => {
      const order = await orderFor(emulator, version);
      const reply = await pay(emulator, order, version);
      const [entry, ...more] = emulator.backend
        .book()
        .filter(({ ourReference }) => ourReference === idOf(order));
      assert.deepEqual(more, []);
      assert.equal(entry?.amountMinor, '15050');
      assert.equal(entry.currency, 'ZMW');
      assert.equal(entry.msisdn, '260977123456');

      assert.equal(reply.status, 200);
      assert.equal(at(reply, 'data.transaction.id'), idOf(order));
      assert.equal(at(reply, 'data.transaction.status'), 'TS');
      assert.equal(at(reply, 'data.transaction.reference_id'), entry.operatorTransactionId);
      assert.equal(at(reply, 'data.transaction.airtel_money_id'), `partner-${idOf(order)}`);
      assert.equal(at(reply, 'status.response_code'), 'DP00900001001');
      assert.equal(at(reply, 'status.result_code'), 'ESB000010');
      assert.equal(at(reply, 'status.code'), '200');
      assert.equal(at(reply, 'status.success'), true);
      const message = String(at(reply, 'status.message'));
      assert.match(message, /You have sent ZMW 150\.50 to 977123456, [A-Z]+ [A-Z]+\./);
    });
  }

  it('pays Nigerian numbers of ten digits in naira', async () => {
    const order = await orderFor(emulator, 'v3', { payee: { msisdn: '8021234567' } });
    const reply = await pay(emulator, order, 'v3', await headersFor(emulator, 'NG'));
    assert.equal(at(reply, 'data.transaction.status'), 'TS');
    const entry = emulator.backend.book().at(-1);
    assert.equal(entry?.msisdn, '2348021234567');
    assert.equal(entry?.currency, 'NGN');
  });

  it('exists only under the documented paths', async () => {
    const headers = await headersFor(emulator);
    const paths = ['/standard/v1/disbursements', '/standard/v2/disbursements'];
    for (const path of [...paths, '/standard/v3/disbursements/', '/standard/v4/disbursements']) {
      const body = JSON.stringify(await orderFor(emulator, 'v3'));
      const reply = await call(emulator, { method: 'POST', path, headers, body });
      assert.equal(reply.status, 404, path);
    }
  });

  it('does not exist under a disabled version', async () => {
    await using old = await startAirtelForTest({ settings: { versions: ['v1'] } });
    assert.equal((await pay(old, await orderFor(old, 'v3'), 'v3')).status, 404);
    assert.equal((await pay(old, await orderFor(old, 'v1'), 'v1')).status, 200);
    assert.equal((await enquireAbout(old, 'PO1', 'v2')).status, 404);
  });

  it('keeps the second reference, the wallet type and the type', async () => {
    const order = await orderFor(emulator, 'v3', {
      payee: { wallet_type: 'SALARY' },
      transaction: { type: 'B2B' },
      order: { reference: 'Payroll7' },
    });
    await pay(emulator, order);
    const { extra } = emulator.backend.find(idOf(order)) ?? {};
    assert.equal(extra?.['walletType'], 'SALARY');
    assert.equal(extra['type'], 'B2B');
    assert.equal(extra['reference'], 'Payroll7');
  });

  const refused: readonly (readonly [
    string,
    Parameters<typeof orderFor>[2],
    'v1' | 'v2' | 'v3',
    string,
    string,
  ])[] = [
    ['no payee', { order: { payee: undefined } }, 'v3', 'ROUTER003', 'ESB000008'],
    ['a payee of text', { order: { payee: '977123456' } }, 'v3', 'DP00900001013', 'ESB000008'],
    ['no number', { payee: { msisdn: undefined } }, 'v3', 'ROUTER003', 'ESB000008'],
    ['a number in digits', { payee: { msisdn: 977123456 } }, 'v3', 'DP00900001013', 'ESB000008'],
    ['the country code', { payee: { msisdn: '260977123456' } }, 'v3', 'DP00900001012', 'ESB000036'],
    ['a leading 0', { payee: { msisdn: '0977123456' } }, 'v3', 'DP00900001012', 'ESB000036'],
    ['0 and eight digits', { payee: { msisdn: '097712345' } }, 'v3', 'DP00900001012', 'ESB000008'],
    ['a short number', { payee: { msisdn: '97712345' } }, 'v3', 'DP00900001012', 'ESB000033'],
    ['a plus', { payee: { msisdn: '+97712345' } }, 'v3', 'DP00900001012', 'ESB000008'],
    ['no wallet type', { payee: { wallet_type: undefined } }, 'v3', 'ROUTER003', 'ESB000008'],
    ['another wallet type', { payee: { wallet_type: 'X' } }, 'v3', 'DP00900001013', 'ESB000008'],
    ['no type in v3', { transaction: { type: undefined } }, 'v3', 'ROUTER003', 'ESB000008'],
    ['no type in v2', { transaction: { type: undefined } }, 'v2', 'ROUTER003', 'ESB000008'],
    ['another type', { transaction: { type: 'C2B' } }, 'v2', 'DP00900001013', 'ESB000008'],
    ['no currency in v2', { payee: { currency: undefined } }, 'v2', 'ROUTER003', 'ESB000008'],
    ['other currency in v2', { payee: { currency: 'NGN' } }, 'v2', 'ROUTER112', 'ESB000035'],
    ['a name of digits', { payee: { name: 7 } }, 'v2', 'DP00900001013', 'ESB000008'],
    ['no reference', { order: { reference: undefined } }, 'v1', 'ROUTER003', 'ESB000008'],
    [
      'dashes in the reference',
      { order: { reference: 'a-b' } },
      'v1',
      'DP00900001013',
      'ESB000008',
    ],
    ['no transaction', { order: { transaction: undefined } }, 'v1', 'ROUTER003', 'ESB000008'],
    ['no id', { transaction: { id: undefined } }, 'v1', 'ROUTER003', 'ESB000008'],
    ['dashes in the id', { transaction: { id: 'PO-1' } }, 'v1', 'DP00900001013', 'ESB000008'],
    ['a long id', { transaction: { id: 'a'.repeat(65) } }, 'v1', 'DP00900001013', 'ESB000008'],
    ['no amount', { transaction: { amount: undefined } }, 'v1', 'ROUTER003', 'ESB000008'],
    ['an amount in quotes', { transaction: { amount: '5' } }, 'v1', 'DP00900001013', 'ESB000008'],
    ['three decimals', { transaction: { amount: 1.005 } }, 'v1', 'DP00900001013', 'ESB000008'],
    ['an amount of zero', { transaction: { amount: 0 } }, 'v1', 'DP00900001004', 'ESB000011'],
    ['a negative amount', { transaction: { amount: -5 } }, 'v1', 'DP00900001004', 'ESB000011'],
    [
      'an amount above the limit',
      { transaction: { amount: 1e12 } },
      'v1',
      'DP00900001004',
      'ESB000011',
    ],
  ];
  for (const [what, given, version, code, resultCode] of refused) {
    it(`with ${what} (${version}) is refused with ${code} and stores nothing`, async () => {
      const order = await orderFor(emulator, version, given);
      const paidBefore = emulator.backend.book().length;
      const reply = await pay(emulator, order, version);
      assert.equal(at(reply, 'status.response_code'), code);
      assert.equal(at(reply, 'status.result_code'), resultCode);
      assert.equal(at(reply, 'status.success'), false);
      assert.equal(reply.status, code.startsWith('ROUTER') ? 400 : 200);
      assert.equal(emulator.backend.book().length, paidBefore);
    });
  }

  it('reads the amount from its decimal text, not from a double', async () => {
    const order = await orderFor(emulator, 'v3', { transaction: { amount: 12345.67 } });
    const headers = await headersFor(emulator);
    const path = PAY_PATHS.v3;
    for (const [written, code] of [
      ['12345.670000000000000001', 'DP00900001013'],
      ['1e2', 'DP00900001013'],
      ['12345.67', 'DP00900001001'],
    ] as const) {
      const body = JSON.stringify(order).replace('12345.67', written);
      const reply = await call(emulator, { method: 'POST', path, headers, body });
      assert.equal(at(reply, 'status.response_code'), code, written);
    }
    assert.equal(emulator.backend.find(idOf(order))?.amountMinor, 1234567n);
  });

  it('is refused when its body is not a JSON object, or not declared as JSON', async () => {
    const headers = await headersFor(emulator);
    const path = PAY_PATHS.v3;
    for (const body of ['', '[]', '{', 'null', 'amount=5']) {
      const reply = await call(emulator, { method: 'POST', path, headers, body });
      assert.equal(reply.status, 400, body);
      assert.equal(at(reply, 'status.response_code'), 'ROUTER003', body);
    }
    const order = await orderFor(emulator, 'v3');
    const asText = await pay(emulator, order, 'v3', { 'content-type': 'text/plain' });
    assert.equal(at(asText, 'status.response_code'), 'ROUTER003');
  });

  it('is accepted once: the same id again is a duplicate, also with other fields', async () => {
    const order = await orderFor(emulator, 'v3');
    await pay(emulator, order);
    const other = await orderFor(emulator, 'v1', {
      transaction: { id: idOf(order), amount: 7 },
    });
    for (const [again, version] of [
      [order, 'v3'],
      [other, 'v1'],
    ] as const) {
      const reply = await pay(emulator, again, version);
      assert.equal(reply.status, 200);
      assert.equal(at(reply, 'status.response_code'), 'DP00900001017');
      assert.equal(at(reply, 'status.success'), false);
    }
    const paid = emulator.backend.book().filter(({ ourReference }) => ourReference === idOf(order));
    assert.equal(paid.length, 1);
  });

  it('is accepted once when fifty arrive at the same time', async () => {
    const order = await orderFor(emulator, 'v3');
    const replies = await Promise.all(Array.from({ length: 50 }, () => pay(emulator, order)));
    const codes = replies.map((reply) => at(reply, 'status.response_code'));
    assert.equal(codes.filter((code) => code === 'DP00900001001').length, 1);
    assert.equal(codes.filter((code) => code === 'DP00900001017').length, 49);
    const paid = emulator.backend.book().filter(({ ourReference }) => ourReference === idOf(order));
    assert.equal(paid.length, 1);
  });

  it('is refused as similar to one of the same amount and number within the window', async () => {
    let nowMs = 1_000_000;
    await using careful = await startAirtelForTest({
      now: () => nowMs,
      settings: { similarWithinMs: 60_000, tokenLifetimeSeconds: 3600 },
    });
    const payee = { msisdn: '977000111' };
    assert.equal((await pay(careful, await orderFor(careful, 'v3', { payee }))).status, 200);
    const similar = await orderFor(careful, 'v3', { payee });
    const refused = await pay(careful, similar);
    assert.equal(at(refused, 'status.response_code'), 'DP00900001011');
    assert.equal(careful.backend.find(idOf(similar)), undefined);
    const less = await orderFor(careful, 'v3', { payee, transaction: { amount: 3 } });
    assert.equal(at(await pay(careful, less), 'data.transaction.status'), 'TS');
    // The window is multiplied by the time scale: 60 s are 60 ms here.
    nowMs += 60;
    assert.equal(at(await pay(careful, similar), 'data.transaction.status'), 'TS');
  });

  it('obeys the configured limits of amounts', async () => {
    await using small = await startAirtelForTest({
      settings: { amountMinMinor: 100n, amountMaxMinor: 1_000_000n },
    });
    for (const [amount, code] of [
      [0.99, 'DP00900001004'],
      [1, 'DP00900001001'],
      [10_000, 'DP00900001001'],
      [10_000.01, 'DP00900001004'],
    ] as const) {
      const order = await orderFor(small, 'v3', { transaction: { amount } });
      assert.equal(at(await pay(small, order), 'status.response_code'), code, String(amount));
    }
  });
});
