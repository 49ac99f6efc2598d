import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startVodacomForTest, type TestVodacom } from './start-for-test.ts';
import { newId, orderFor, output, pay, query, requestName, reverse } from './vodacom-caller.ts';
import { startVodacomEmulator } from './vodacom-emulator.ts';

let emulator: TestVodacom;
before(async () => {
  emulator = await startVodacomForTest();
});
after(() => emulator[Symbol.asyncDispose]());

describe('a status query', () => {
  it('finds a payout by any of its three ids', async () => {
    const order = orderFor(emulator);
    const paid = await pay(emulator, order);
    const transactionId = output(paid, 'TransactionID');
    for (const reference of [
      transactionId,
      output(paid, 'ConversationID'),
      order.input_ThirdPartyConversationID,
    ]) {
      const queryId = newId();
      const reply = await query(emulator, reference, { input_ThirdPartyConversationID: queryId });
      assert.equal(reply.status, 200);
      assert.equal(output(reply, 'ResponseCode'), 'INS-0');
      assert.equal(output(reply, 'ResponseTransactionStatus'), 'Completed');
      assert.equal(output(reply, 'OriginalTransactionID'), transactionId);
      assert.equal(output(reply, 'ThirdPartyConversationID'), queryId);
      assert.equal(output(reply, 'Reversed'), 'False');
    }
  });

  it('finds the second payment of a payout that was paid twice', async () => {
    emulator.chooser.setRules([{ match: {}, preset: 'execute-twice', times: 1 }]);
    const order = orderFor(emulator);
    await pay(emulator, order);
    const [first, second] = emulator.backend
      .book()
      .filter(({ ourReference }) => ourReference === order.input_ThirdPartyConversationID);
    assert.notEqual(first?.operatorTransactionId, second?.operatorTransactionId);
    assert.equal((await query(emulator, second?.operatorTransactionId)).status, 200);
  });

  it('refuses references with dashes or of more than 32 characters', async () => {
    for (const reference of [
      '123e4567-e89b-42d3-a456-426614174000',
      'a-b',
      'a b',
      'a'.repeat(33),
    ]) {
      const reply = await query(emulator, reference);
      assert.equal(reply.status, 400, reference);
      assert.equal(output(reply, 'ResponseCode'), 'INS-21', reference);
    }
    for (const length of [1, 9, 10, 20, 21, 32]) {
      const reply = await query(emulator, 'a'.repeat(length));
      assert.equal(output(reply, 'ResponseCode'), 'INS-23', String(length));
    }
  });

  it('requires every parameter to be present and valid', async () => {
    for (const [given, code] of [
      [{ input_QueryReference: undefined }, 'INS-20'],
      [{ input_ServiceProviderCode: undefined }, 'INS-20'],
      [{ input_ThirdPartyConversationID: undefined }, 'INS-20'],
      [{ input_Country: undefined }, 'INS-20'],
      [{ input_ServiceProviderCode: '000001' }, 'INS-13'],
      [{ input_ServiceProviderCode: '0' }, 'INS-13'],
      [{ input_ThirdPartyConversationID: 'a-b' }, 'INS-28'],
      [{ input_Country: 'TZN' }, 'INS-21'],
    ] as const) {
      const reply = await query(emulator, 'abc', given);
      assert.equal(reply.status, 400);
      assert.equal(output(reply, 'ResponseCode'), code, JSON.stringify(given));
    }
  });

  it('can be unavailable for one payout, or fail with any code for all', async () => {
    emulator.chooser.setRules([{ match: {}, behaviour: { inquiry: 'down' }, times: 1 }]);
    const order = orderFor(emulator);
    await pay(emulator, order);
    const down = await query(emulator, order.input_ThirdPartyConversationID);
    assert.equal(down.status, 408);
    assert.equal(output(down, 'ResponseCode'), 'INS-9');
    for (const [code, status] of [
      ['INS-6', 401],
      ['INS-996', 400],
      ['INS-997', 400],
    ] as const) {
      emulator.setAnswer('query', code);
      const reply = await query(emulator, 'abc');
      assert.equal(reply.status, status);
      assert.equal(output(reply, 'ResponseCode'), code);
    }
    emulator.setAnswer('query', null);
  });

  it('can contradict itself', async () => {
    emulator.chooser.setRules([{ match: {}, behaviour: { inquiry: 'contradictory' }, times: 1 }]);
    const order = orderFor(emulator);
    assert.equal((await pay(emulator, order)).status, 201);
    const says: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const reply = await query(emulator, order.input_ThirdPartyConversationID);
      says.push(output(reply, 'ResponseTransactionStatus'));
    }
    assert.deepEqual(says, ['Failed', 'Completed', 'Completed']);
  });

  it('uses the configured status words', async () => {
    for (const [pendingWord, failedWord] of [
      ['In Progress', 'Expired'],
      ['N/A', 'Cancelled'],
    ] as const) {
      await using other = await startVodacomForTest({ settings: { pendingWord, failedWord } });
      other.chooser.setRules([
        { match: { msisdnEndsIn: '1' }, preset: 'pending-for-ever' },
        { match: { msisdnEndsIn: '2' }, preset: 'reject' },
      ]);
      for (const [msisdn, word] of [
        ['260977000001', pendingWord],
        ['260977000002', failedWord],
      ] as const) {
        const order = orderFor(other, { input_CustomerMSISDN: msisdn });
        await pay(other, order);
        const reply = await query(other, order.input_ThirdPartyConversationID);
        assert.equal(reply.status, 200);
        assert.equal(output(reply, 'ResponseTransactionStatus'), word);
      }
    }
  });
});

describe('a name query', () => {
  it('returns the first and the last name of a number', async () => {
    const reply = await requestName(emulator, '260977123456');
    const name = emulator.backend.accountName('260977123456');
    assert.equal(reply.status, 200);
    assert.equal(output(reply, 'ResponseCode'), 'INS-0');
    assert.equal(output(reply, 'CustomerFirstName'), name?.given);
    assert.equal(output(reply, 'CustomerLastName'), name?.family);
    assert.match(String(output(reply, 'ConversationID')), /^[0-9a-f]{32}$/);
  });

  it('does not find a number without an account', async () => {
    const reply = await requestName(emulator, '260977123901');
    assert.equal(reply.status, 400);
    assert.equal(output(reply, 'ResponseCode'), 'INS-2051');
    assert.equal(output(reply, 'CustomerFirstName'), undefined);
  });

  it('requires every parameter to be present and valid', async () => {
    for (const [given, code] of [
      [{ input_CustomerMSISDN: undefined }, 'INS-20'],
      [{ input_KycQueryType: undefined }, 'INS-20'],
      [{ input_KycQueryType: 'Address' }, 'INS-21'],
      [{ input_CustomerMSISDN: '0977123456' }, 'INS-2051'],
      [{ input_Country: 'TZN' }, 'INS-21'],
      [{ input_ServiceProviderCode: '000001' }, 'INS-13'],
      [{ input_ThirdPartyConversationID: 'a-b' }, 'INS-28'],
    ] as const) {
      const reply = await requestName(emulator, '260977123456', given);
      assert.equal(reply.status, 400);
      assert.equal(output(reply, 'ResponseCode'), code, JSON.stringify(given));
    }
  });

  it('can fail with any code', async () => {
    emulator.setAnswer('name', 'INS-997');
    const reply = await requestName(emulator, '260977123456');
    assert.equal(output(reply, 'ResponseCode'), 'INS-997');
    emulator.setAnswer('name', null);
  });
});

describe('a reversal', () => {
  it('returns the whole remainder, once, and queries show it', async () => {
    const order = orderFor(emulator);
    const paid = await pay(emulator, order);
    const transactionId = output(paid, 'TransactionID');
    const reply = await reverse(emulator, transactionId);
    assert.equal(reply.status, 201);
    assert.equal(output(reply, 'ResponseCode'), 'INS-0');
    const [entry] = emulator
      .reversals()
      .filter(({ ourReference }) => ourReference === order.input_ThirdPartyConversationID);
    assert.equal(entry?.amountMinor, '15050');
    assert.equal(output(reply, 'TransactionID'), entry.operatorTransactionId);
    const queried = await query(emulator, transactionId);
    assert.equal(output(queried, 'Reversed'), 'True');
    assert.equal(output(queried, 'ResponseTransactionStatus'), 'Completed');
    const again = await reverse(emulator, transactionId);
    assert.equal(again.status, 401);
    assert.equal(output(again, 'ResponseCode'), 'INS-6');
  });

  it('of a part leaves the rest, and never returns more than was paid', async () => {
    const paid = await pay(emulator, orderFor(emulator));
    const transactionId = output(paid, 'TransactionID');
    for (const [amount, code] of [
      ['100.25', 'INS-0'],
      ['50.26', 'INS-15'],
      ['50.25', 'INS-0'],
      ['0.01', 'INS-6'],
    ] as const) {
      const reply = await reverse(emulator, transactionId, { input_ReversalAmount: amount });
      assert.equal(output(reply, 'ResponseCode'), code, amount);
    }
  });

  it('is refused for an unknown or unpaid payout, an invalid field and a duplicate', async () => {
    const order = orderFor(emulator);
    const transactionId = output(await pay(emulator, order), 'TransactionID');
    emulator.chooser.setRules([{ match: {}, preset: 'reject', times: 1 }]);
    const failed = orderFor(emulator);
    await pay(emulator, failed);
    const unpaidId = emulator.backend.find(failed.input_ThirdPartyConversationID);
    const used = newId();
    await reverse(emulator, transactionId, {
      input_ThirdPartyConversationID: used,
      input_ReversalAmount: '1',
    });
    const payoutId = order.input_ThirdPartyConversationID;
    for (const [id, given, status, code] of [
      ['NOSUCH', {}, 400, 'INS-18'],
      ['a-b', {}, 400, 'INS-18'],
      [unpaidId?.operatorTransactionId, {}, 401, 'INS-6'],
      [undefined, {}, 400, 'INS-20'],
      [transactionId, { input_ReversalAmount: 'x' }, 400, 'INS-15'],
      [transactionId, { input_ReversalAmount: 5 }, 400, 'INS-21'],
      [transactionId, { input_Country: 'TZN' }, 400, 'INS-21'],
      [transactionId, { input_ServiceProviderCode: '000001' }, 400, 'INS-13'],
      [transactionId, { input_ThirdPartyConversationID: 'a-b' }, 400, 'INS-28'],
      [transactionId, { input_ThirdPartyConversationID: used }, 409, 'INS-10'],
      [transactionId, { input_ThirdPartyConversationID: payoutId }, 409, 'INS-10'],
    ] as const) {
      const reply = await reverse(emulator, id, given);
      assert.equal(output(reply, 'ResponseCode'), code, `${String(id)} ${JSON.stringify(given)}`);
      assert.equal(reply.status, status);
    }
    const underUsedId = orderFor(emulator, { input_ThirdPartyConversationID: used });
    assert.equal((await pay(emulator, underUsedId)).status, 409);
    emulator.setAnswer('reversal', 'INS-35');
    assert.equal(output(await reverse(emulator, transactionId), 'ResponseCode'), 'INS-35');
    emulator.setAnswer('reversal', null);
  });
});

describe('an operator that was restarted', () => {
  it('still finds its payouts by all three ids, and its reversals', async () => {
    await using first = await startVodacomForTest();
    const order = orderFor(first);
    const paid = await pay(first, order);
    first.chooser.setRules([{ match: {}, preset: 'reject' }]);
    const refused = orderFor(first);
    const failed = await pay(first, refused);
    await reverse(first, output(paid, 'TransactionID'), { input_ReversalAmount: '0.50' });
    await first.close();

    const second = await startVodacomEmulator({
      port: 0,
      journalPath: join(first.folder, 'vodacom.jsonl'),
      keyPath: join(first.folder, 'key.pem'),
      timeScale: 0.001,
      settings: { sessionActivationMs: 0 },
    });
    try {
      for (const reference of [
        output(paid, 'TransactionID'),
        output(paid, 'ConversationID'),
        order.input_ThirdPartyConversationID,
      ]) {
        const reply = await query(second, reference);
        assert.equal(output(reply, 'ResponseTransactionStatus'), 'Completed');
        assert.equal(output(reply, 'Reversed'), 'True');
      }
      const unpaid = await query(second, output(failed, 'ConversationID'));
      assert.equal(output(unpaid, 'ResponseTransactionStatus'), 'Failed');
      assert.equal((await pay(second, order)).status, 409);
      const rest = await reverse(second, output(paid, 'TransactionID'));
      assert.equal(rest.status, 201);
      assert.deepEqual(
        second.reversals().map(({ amountMinor }) => amountMinor),
        ['50', '15000'],
      );
    } finally {
      await second.close();
    }
  });
});
