import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { writeDecimalAmount } from '../kernel/decimal-amount.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { readAmount } from './input-fields.ts';
import { codeFacts, INS_CODES } from './ins-codes.ts';
import { startVodacomForTest, type TestVodacom } from './start-for-test.ts';
import {
  call,
  type Fields,
  newId,
  openSession,
  orderFor,
  output,
  pay,
  query,
} from './vodacom-caller.ts';

let emulator: TestVodacom;
before(async () => {
  emulator = await startVodacomForTest();
});
after(() => emulator[Symbol.asyncDispose]());

describe('a payout in the synchronous flow', () => {
  it('is paid before it is answered, exactly as ordered', async () => {
    const order = orderFor(emulator);
    const reply = await pay(emulator, order);
    const reference = order.input_ThirdPartyConversationID;
    const paid = emulator.backend.book().filter(({ ourReference }) => ourReference === reference);
    assert.equal(paid.length, 1);
    assert.equal(paid[0]?.amountMinor, '15050');
    assert.equal(paid[0].currency, 'ZMW');
    assert.equal(paid[0].msisdn, '260977123456');

    assert.equal(reply.status, 201);
    assert.equal(output(reply, 'ResponseCode'), 'INS-0');
    assert.equal(output(reply, 'TransactionID'), paid[0].operatorTransactionId);
    assert.match(String(output(reply, 'ConversationID')), /^[0-9a-f]{32}$/);
    assert.equal(output(reply, 'ThirdPartyConversationID'), reference);
  });

  it('can be sent to the other path where that is configured', async () => {
    const path = 'b2cPayment/singleStage/';
    assert.equal((await pay(emulator, orderFor(emulator), path)).status, 404);
    await using other = await startVodacomForTest({ settings: { b2cPaths: [path] } });
    assert.equal((await pay(other, orderFor(other), path)).status, 201);
    assert.equal((await pay(other, orderFor(other))).status, 404);
  });

  it('keeps its reference and description', async () => {
    const order = orderFor(emulator);
    await pay(emulator, order);
    const { extra } = emulator.backend.find(order.input_ThirdPartyConversationID) ?? {};
    assert.equal(extra?.['transactionReference'], 'T12344C');
    assert.equal(extra['description'], 'Salary payment');
  });

  const dashed = '123e4567-e89b-42d3-a456-426614174000';
  const refused: readonly (readonly [string, Fields, string])[] = [
    ['an amount with a sign', { input_Amount: '-5' }, 'INS-15'],
    ['an amount with a comma', { input_Amount: '1,000' }, 'INS-15'],
    ['an amount that ends in a dot', { input_Amount: '5.' }, 'INS-15'],
    ['an amount of zero', { input_Amount: '0.00' }, 'INS-15'],
    ['three decimals', { input_Amount: '1.005' }, 'INS-15'],
    ['an amount without quotes', { input_Amount: 10 }, 'INS-21'],
    ['a short number', { input_CustomerMSISDN: '26097712345' }, 'INS-2051'],
    ['a long number', { input_CustomerMSISDN: '260977123456789' }, 'INS-2051'],
    ['a number with a plus', { input_CustomerMSISDN: '+260977123456' }, 'INS-2051'],
    ['a currency of digits', { input_Currency: '967' }, 'INS-26'],
    ['a currency of another market', { input_Currency: 'TZS' }, 'INS-26'],
    ['a short code of three', { input_ServiceProviderCode: '000' }, 'INS-13'],
    ['a short code of thirteen', { input_ServiceProviderCode: '0'.repeat(13) }, 'INS-13'],
    ['another organisation’s short code', { input_ServiceProviderCode: '000001' }, 'INS-13'],
    ['a long reference', { input_TransactionReference: 'T'.repeat(21) }, 'INS-17'],
    ['a dashed reference', { input_TransactionReference: 'T-1' }, 'INS-17'],
    ['a long id', { input_ThirdPartyConversationID: 'a'.repeat(41) }, 'INS-28'],
    ['a dashed id', { input_ThirdPartyConversationID: dashed }, 'INS-28'],
    ['a long description', { input_PaymentItemsDesc: 'a'.repeat(257) }, 'INS-31'],
    ['an apostrophe in the description', { input_PaymentItemsDesc: "O'Brien" }, 'INS-31'],
    ['a country of another market', { input_Country: 'TZN' }, 'INS-21'],
    ['a country of two letters', { input_Country: 'ZM' }, 'INS-21'],
  ];
  for (const [what, given, code] of refused) {
    it(`with ${what} is refused with ${code} and stores nothing`, async () => {
      const order = orderFor(emulator, given);
      const paidBefore = emulator.backend.book().length;
      const reply = await pay(emulator, order);
      assert.equal(reply.status, 400);
      assert.equal(output(reply, 'ResponseCode'), code);
      assert.equal(output(reply, 'TransactionID'), undefined);
      assert.equal(emulator.backend.book().length, paidBefore);
      assert.equal(emulator.backend.find(order.input_ThirdPartyConversationID), undefined);
    });
  }

  for (const field of [
    'input_Amount',
    'input_Country',
    'input_Currency',
    'input_CustomerMSISDN',
    'input_ServiceProviderCode',
    'input_ThirdPartyConversationID',
    'input_TransactionReference',
    'input_PaymentItemsDesc',
  ]) {
    it(`without ${field} is refused with INS-20`, async () => {
      for (const nothing of [undefined, null, '']) {
        const reply = await pay(emulator, orderFor(emulator, { [field]: nothing }));
        assert.equal(reply.status, 400);
        assert.equal(output(reply, 'ResponseCode'), 'INS-20');
      }
    });
  }

  it('is refused with INS-20 before any other check', async () => {
    const order = orderFor(emulator, { input_Amount: 'x', input_PaymentItemsDesc: undefined });
    assert.equal(output(await pay(emulator, order), 'ResponseCode'), 'INS-20');
  });

  it('is refused when its body is not a JSON object', async () => {
    const bearer = await openSession(emulator);
    for (const body of ['', '[]', '{', 'null', 'input_Amount=5']) {
      const reply = await call(emulator, { method: 'POST', path: 'b2cPayment/', bearer, body });
      assert.equal(reply.status, 400, body);
      assert.equal(output(reply, 'ResponseCode'), 'INS-21', body);
    }
  });

  it('is accepted once: the same id again is a duplicate, also with other fields', async () => {
    const order = orderFor(emulator);
    await pay(emulator, order);
    for (const again of [order, { ...order, input_Amount: '7', input_TransactionReference: 'B' }]) {
      const reply = await pay(emulator, again);
      assert.equal(reply.status, 409);
      assert.equal(output(reply, 'ResponseCode'), 'INS-10');
    }
    const reference = order.input_ThirdPartyConversationID;
    const paid = emulator.backend.book().filter(({ ourReference }) => ourReference === reference);
    assert.equal(paid.length, 1);
  });

  it('is accepted once when fifty arrive at the same time', async () => {
    const order = orderFor(emulator);
    const bearer = await openSession(emulator);
    const request = { method: 'POST', path: 'b2cPayment/', bearer, body: order };
    const replies = await Promise.all(Array.from({ length: 50 }, () => call(emulator, request)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ status }) => status === 409).length, 49);
    const reference = order.input_ThirdPartyConversationID;
    const paid = emulator.backend.book().filter(({ ourReference }) => ourReference === reference);
    assert.equal(paid.length, 1);
  });

  it('times out with 408 while it is pending, and can be queried', async () => {
    emulator.chooser.setRules([{ match: {}, preset: 'pending-for-ever', times: 1 }]);
    const order = orderFor(emulator);
    const reply = await pay(emulator, order);
    assert.equal(reply.status, 408);
    assert.equal(output(reply, 'ResponseCode'), 'INS-9');
    const queried = await query(emulator, order.input_ThirdPartyConversationID);
    assert.equal(output(queried, 'ResponseTransactionStatus'), 'Pending');
  });

  for (const [preset, word] of [
    ['pending-then-ok', 'Completed'],
    ['pending-then-failed', 'Failed'],
  ] as const) {
    it(`that was pending ends as ${word}`, async () => {
      emulator.chooser.setRules([{ match: {}, preset, times: 1 }]);
      const order = orderFor(emulator);
      await pay(emulator, order);
      await waitUntil(word, async () => {
        const queried = await query(emulator, order.input_ThirdPartyConversationID);
        return output(queried, 'ResponseTransactionStatus') === word;
      });
    });
  }

  it('fails for numbers without an account, and when the float is too small', async () => {
    await using poor = await startVodacomForTest({ floatMinor: 20_000n });
    const withoutAccount = await pay(
      poor,
      orderFor(poor, { input_CustomerMSISDN: '260977123901' }),
    );
    assert.equal(withoutAccount.status, 400);
    assert.equal(output(withoutAccount, 'ResponseCode'), 'INS-2051');
    assert.equal((await pay(poor, orderFor(poor))).status, 201);
    const second = await pay(poor, orderFor(poor));
    assert.equal(second.status, 422);
    assert.equal(output(second, 'ResponseCode'), 'INS-2006');
    assert.equal(poor.backend.book().length, 1);
  });

  for (const code of [...INS_CODES, 'INS-4711']) {
    it(`can be refused with ${code}`, async () => {
      emulator.chooser.setRules([
        { match: {}, behaviour: { execute: 'never', refusal: code }, times: 1 },
      ]);
      const order = orderFor(emulator);
      const reply = await pay(emulator, order);
      const { kind, httpStatus } = codeFacts(code);
      assert.equal(reply.status, httpStatus);
      assert.equal(output(reply, 'ResponseCode'), code);
      const queried = await query(emulator, order.input_ThirdPartyConversationID);
      if (kind === 'rejected') {
        assert.equal(output(queried, 'ResponseCode'), 'INS-23');
        assert.equal((await pay(emulator, order)).status, 201);
      } else {
        const word = code === 'INS-5' ? 'Cancelled' : 'Failed';
        assert.equal(output(queried, 'ResponseTransactionStatus'), word);
        assert.equal(output(queried, 'OriginalTransactionID'), undefined);
        assert.equal((await pay(emulator, order)).status, 409);
      }
    });
  }

  it('has the documented HTTP statuses', () => {
    for (const [code, status] of [
      ['INS-0', 201],
      ['INS-1', 400],
      ['INS-6', 401],
      ['INS-9', 408],
      ['INS-10', 409],
      ['INS-13', 400],
      ['INS-998', 400],
      ['INS-2006', 422],
      ['INS-2051', 400],
    ] as const) {
      assert.equal(codeFacts(code).httpStatus, status, code);
    }
  });

  it('can be paid although the answer leaves it open, or even denies it', async () => {
    for (const refusal of ['INS-1', 'INS-9', 'INS-16', 'INS-6']) {
      emulator.chooser.setRules([{ match: {}, behaviour: { refusal }, times: 1 }]);
      const order = orderFor(emulator);
      assert.equal(output(await pay(emulator, order), 'ResponseCode'), refusal);
      const queried = await query(emulator, order.input_ThirdPartyConversationID);
      assert.equal(output(queried, 'ResponseTransactionStatus'), 'Completed');
    }
  });

  it('can get broken answers that say nothing about the payout', async () => {
    const even = '260971234568';
    const odd = '260971234569';
    for (const [preset, msisdn, status, code, isKnown] of [
      ['pay-then-500', even, 500, undefined, true],
      ['pay-then-400', even, 400, 'INS-1', true],
      ['pay-then-400', odd, 400, undefined, true],
      ['token-expired', even, 401, undefined, false],
    ] as const) {
      emulator.chooser.setRules([{ match: {}, preset, times: 1 }]);
      const order = orderFor(emulator, { input_CustomerMSISDN: msisdn });
      const reply = await pay(emulator, order);
      assert.equal(reply.status, status);
      assert.equal(output(reply, 'ResponseCode'), code);
      const queried = await query(emulator, order.input_ThirdPartyConversationID);
      assert.equal(output(queried, 'ResponseCode'), isKnown ? 'INS-0' : 'INS-23');
    }
  });

  it('is not found by queries until its late execution', async () => {
    emulator.chooser.setRules([
      { match: {}, preset: 'execute-late', behaviour: { lateMs: 10_000_000 }, times: 1 },
    ]);
    const order = orderFor(emulator, { input_ThirdPartyConversationID: newId() });
    assert.equal((await pay(emulator, order)).status, 408);
    const early = await query(emulator, order.input_ThirdPartyConversationID);
    assert.equal(early.status, 400);
    assert.equal(output(early, 'ResponseCode'), 'INS-23');
    await emulator.backend.flush();
    const late = await query(emulator, order.input_ThirdPartyConversationID);
    assert.equal(output(late, 'ResponseTransactionStatus'), 'Completed');
  });
});

describe('an amount', () => {
  it('is read exactly in every spelling that the pattern allows', () => {
    const minor = fc.bigInt({ min: 1n, max: 10n ** 18n });
    fc.assert(
      fc.property(minor, fc.nat(5), (amountMinor, zeros) => {
        const text = `${'0'.repeat(zeros)}${writeDecimalAmount(amountMinor)}`;
        assert.equal(readAmount(text), amountMinor);
      }),
    );
    assert.equal(readAmount('.5'), 50n);
    assert.equal(readAmount('10'), 1000n);
  });
});
