import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../kernel/wait-until.ts';
import { at, enquireAbout, idOf, orderFor, pay } from './airtel-caller.ts';
import { AIRTEL_CODES, codeFacts } from './airtel-codes.ts';
import { startAirtelForTest, type TestAirtel } from './start-for-test.ts';

describe('the end of a disbursement', () => {
  let emulator: TestAirtel;
  before(async () => {
    emulator = await startAirtelForTest();
  });
  after(() => emulator[Symbol.asyncDispose]());

  for (const code of [...AIRTEL_CODES, 'DP00900009999']) {
    it(`can be ${code}`, async () => {
      emulator.chooser.setRules([
        { match: {}, behaviour: { execute: 'never', refusal: code }, times: 1 },
      ]);
      const order = await orderFor(emulator, 'v3');
      const reply = await pay(emulator, order);
      const shown = code.startsWith('ESB') ? 'status.result_code' : 'status.response_code';
      assert.equal(at(reply, shown), code);
      assert.equal(at(reply, 'status.code'), String(reply.status));
      const { kind } = codeFacts(code);
      const enquired = await enquireAbout(emulator, idOf(order));
      if (kind === 'rejected') {
        assert.equal(at(enquired, 'status.response_code'), 'DP00900001015');
        assert.equal(at(await pay(emulator, order), 'data.transaction.status'), 'TS');
      } else {
        assert.equal(at(enquired, 'data.transaction.status'), 'TF');
        assert.equal(at(await pay(emulator, order), 'status.response_code'), 'DP00900001017');
      }
      if (kind === 'failed') {
        assert.equal(at(reply, 'data.transaction.status'), 'TF');
        assert.equal(reply.status, 200);
        assert.equal(at(reply, 'status.success'), false);
        assert.equal(at(enquired, shown), code);
      }
      if (kind === 'open' || kind === 'paid') {
        assert.equal(at(enquired, 'status.response_code'), 'DP00900001005');
      }
    });
  }

  it('is HTTP 400 for refusals of the wallet where that is configured', async () => {
    await using strict = await startAirtelForTest({ settings: { refusalHttpStatus: 400 } });
    const order = await orderFor(strict, 'v3', { payee: { msisdn: '977123901' } });
    const reply = await pay(strict, order);
    assert.equal(reply.status, 400);
    assert.equal(at(reply, 'status.code'), '400');
    assert.equal(at(reply, 'status.response_code'), 'DP00900001012');
    assert.equal(at(reply, 'data.transaction.status'), 'TF');
  });

  it('is a failure for numbers without an account, and when the float is too small', async () => {
    await using poor = await startAirtelForTest({ floatMinor: 20_000n });
    const withoutAccount = await orderFor(poor, 'v3', { payee: { msisdn: '977123901' } });
    assert.equal(at(await pay(poor, withoutAccount), 'status.response_code'), 'DP00900001012');
    assert.equal(at(await pay(poor, await orderFor(poor, 'v3')), 'data.transaction.status'), 'TS');
    const second = await pay(poor, await orderFor(poor, 'v3'));
    assert.equal(at(second, 'status.response_code'), 'DP00900001007');
    assert.equal(poor.backend.book().length, 1);
  });

  for (const pendingAs of ['TIP', 'TA'] as const) {
    it(`is not reported while it is pending: ${pendingAs}`, async () => {
      await using slow = await startAirtelForTest({ settings: { pendingAs } });
      slow.chooser.setRules([{ match: {}, preset: 'pending-for-ever' }]);
      const code = pendingAs === 'TIP' ? 'DP00900001006' : 'DP00900001000';
      const order = await orderFor(slow, 'v2');
      for (const reply of [await pay(slow, order, 'v2'), await enquireAbout(slow, idOf(order))]) {
        assert.equal(reply.status, 200);
        assert.equal(at(reply, 'status.response_code'), code);
        assert.equal(at(reply, 'data.transaction.status'), pendingAs);
      }
    });
  }

  it('is left open by the configured code, also while it is pending', async () => {
    for (const refusal of ['DP00900001014', 'DP00900001000', 'ROUTER117']) {
      emulator.chooser.setRules([
        { match: {}, preset: 'pending-for-ever', behaviour: { refusal }, times: 1 },
      ]);
      const order = await orderFor(emulator, 'v3');
      assert.equal(at(await pay(emulator, order), 'status.response_code'), refusal);
      const enquired = await enquireAbout(emulator, idOf(order));
      assert.equal(at(enquired, 'data.transaction.status'), 'TIP');
    }
  });

  for (const [preset, end] of [
    ['pending-then-ok', 'TS'],
    ['pending-then-failed', 'TF'],
  ] as const) {
    it(`is shown by an enquiry after it was pending: ${end}`, async () => {
      emulator.chooser.setRules([{ match: {}, preset, times: 1 }]);
      const order = await orderFor(emulator, 'v3');
      await pay(emulator, order);
      await waitUntil(`${end} by enquiry`, async () => {
        const enquired = await enquireAbout(emulator, idOf(order));
        return at(enquired, 'data.transaction.status') === end;
      });
    });
  }

  it('can be a payment although the answer leaves it open, or even denies it', async () => {
    for (const [refusal, status] of [
      ['DP00900001014', 'TA'],
      ['DP00900001006', 'TIP'],
      ['ROUTER117', undefined],
      ['DP00900001005', 'TF'],
    ] as const) {
      emulator.chooser.setRules([{ match: {}, behaviour: { refusal }, times: 1 }]);
      const order = await orderFor(emulator, 'v3');
      const reply = await pay(emulator, order);
      assert.equal(at(reply, 'status.response_code'), refusal);
      assert.equal(at(reply, 'data.transaction.status'), status);
      const enquired = await enquireAbout(emulator, idOf(order));
      assert.equal(at(enquired, 'data.transaction.status'), 'TS');
    }
  });

  it('can be hidden by broken answers that say nothing about the payout', async () => {
    for (const [preset, status, error] of [
      ['pay-then-500', 500, undefined],
      ['pay-then-400', 400, 'bad_request'],
      ['token-expired', 401, 'invalid_token'],
    ] as const) {
      emulator.chooser.setRules([{ match: {}, preset, times: 1 }]);
      const order = await orderFor(emulator, 'v3');
      const reply = await pay(emulator, order);
      assert.equal(reply.status, status);
      assert.equal(at(reply, 'error'), error);
      assert.equal(at(reply, 'status.response_code'), undefined);
      const known = preset === 'token-expired' ? undefined : 'TS';
      const enquired = await enquireAbout(emulator, idOf(order));
      assert.equal(at(enquired, 'data.transaction.status'), known);
    }
  });

  it('is not found by enquiries until the late execution', async () => {
    emulator.chooser.setRules([
      { match: {}, preset: 'execute-late', behaviour: { lateMs: 10_000_000 }, times: 1 },
    ]);
    const order = await orderFor(emulator, 'v3');
    assert.equal(at(await pay(emulator, order), 'data.transaction.status'), 'TIP');
    const early = await enquireAbout(emulator, idOf(order));
    assert.equal(at(early, 'status.response_code'), 'DP00900001015');
    assert.equal(await emulator.backend.flush(), 1);
    const late = await enquireAbout(emulator, idOf(order));
    assert.equal(at(late, 'data.transaction.status'), 'TS');
  });
});
