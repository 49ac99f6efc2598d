import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type CallbackReceiver, startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { isJsonObject, type JsonObject } from '../kernel/read-json-object.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { codeFacts, INS_CODES } from './ins-codes.ts';
import { readAcknowledgement } from './post-result.ts';
import { startVodacomForTest, type TestVodacom } from './start-for-test.ts';
import { newId, orderFor, output, pay, query } from './vodacom-caller.ts';
import { startVodacomEmulator } from './vodacom-emulator.ts';
import type { VodacomSettings } from './vodacom-state.ts';

function startAsync(
  receiver: CallbackReceiver,
  settings: Partial<VodacomSettings> = {},
): Promise<TestVodacom> {
  const responseUrl = `${receiver.url}/hooks/vodacom`;
  return startVodacomForTest({ responseUrl, settings: { flow: 'async', ...settings } });
}

function resultsAbout(receiver: CallbackReceiver, reference: string): readonly JsonObject[] {
  return receiver
    .seen()
    .map(({ body }): unknown => JSON.parse(body))
    .filter(isJsonObject)
    .filter((result) => result['input_ThirdPartyConversationID'] === reference);
}

async function resultAbout(receiver: CallbackReceiver, reference: string): Promise<JsonObject> {
  await waitUntil('the result', () => resultsAbout(receiver, reference).length > 0);
  return resultsAbout(receiver, reference)[0] ?? {};
}

describe('a payout in the asynchronous flow', () => {
  it('is accepted without a TransactionID, and its end is posted to the receiver', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    const order = orderFor(emulator);
    const reference = order.input_ThirdPartyConversationID;
    const reply = await pay(emulator, order);
    assert.equal(reply.status, 201);
    assert.equal(output(reply, 'ResponseCode'), 'INS-0');
    assert.equal(output(reply, 'TransactionID'), undefined);

    const result = await resultAbout(receiver, reference);
    assert.deepEqual(result, {
      input_OriginalConversationID: output(reply, 'ConversationID'),
      input_TransactionID: emulator.backend.find(reference)?.operatorTransactionId,
      input_ResultCode: 'INS-0',
      input_ResultDesc: 'Request processed successfully',
      input_ThirdPartyConversationID: reference,
    });
    const [seen] = receiver.seen();
    assert.equal(seen?.method, 'POST');
    assert.equal(seen.path, '/hooks/vodacom');
    const queried = await query(emulator, reference);
    assert.equal(output(queried, 'ResponseTransactionStatus'), 'Completed');
  });

  it('is pending until then', async () => {
    await using receiver = await startCallbackReceiver();
    // More than an hour at the time scale of tests.
    await using emulator = await startAsync(receiver, { asyncPendingMs: 4_000_000_000 });
    const order = orderFor(emulator);
    await pay(emulator, order);
    const queried = await query(emulator, order.input_ThirdPartyConversationID);
    assert.equal(output(queried, 'ResponseTransactionStatus'), 'Pending');
    assert.deepEqual(receiver.seen(), []);
  });

  const ends = INS_CODES.filter((code) => codeFacts(code).kind === 'failed');
  for (const code of ends) {
    it(`can end with ${code} after it was accepted`, async () => {
      await using receiver = await startCallbackReceiver();
      await using emulator = await startAsync(receiver);
      emulator.chooser.setRules([{ match: {}, behaviour: { execute: 'never', refusal: code } }]);
      const order = orderFor(emulator);
      assert.equal((await pay(emulator, order)).status, 201);
      const result = await resultAbout(receiver, order.input_ThirdPartyConversationID);
      assert.equal(result['input_ResultCode'], code);
      assert.deepEqual(emulator.backend.book(), []);
    });
  }

  it('is refused or left open in the first answer, as in the synchronous flow', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    for (const [refusal, status] of [
      ['INS-997', 400],
      ['INS-9', 408],
    ] as const) {
      emulator.chooser.setRules([{ match: {}, behaviour: { execute: 'never', refusal } }]);
      const reply = await pay(emulator, orderFor(emulator));
      assert.equal(reply.status, status);
      assert.equal(output(reply, 'ResponseCode'), refusal);
    }
  });

  it('can have its result code as a plain number', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver, { resultCodesAs: '0' });
    emulator.chooser.setRules([{ match: { msisdnEndsIn: '2' }, preset: 'reject' }]);
    for (const [msisdn, code] of [
      ['260977000001', '0'],
      ['260977000002', '2051'],
    ] as const) {
      const order = orderFor(emulator, { input_CustomerMSISDN: msisdn });
      await pay(emulator, order);
      const result = await resultAbout(receiver, order.input_ThirdPartyConversationID);
      assert.equal(result['input_ResultCode'], code);
    }
  });

  it('posts nothing without a URL or in the synchronous flow', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    emulator.setResponseUrl(null);
    const order = orderFor(emulator);
    await pay(emulator, order);
    await waitUntil('the end', async () => {
      const queried = await query(emulator, order.input_ThirdPartyConversationID);
      return output(queried, 'ResponseTransactionStatus') === 'Completed';
    });
    await using sync = await startAsync(receiver, { flow: 'sync' });
    // An early callback would be posted before the answer, so its absence now shows that none is sent.
    sync.chooser.setRules([{ match: {}, behaviour: { callback: 'early' } }]);
    assert.equal((await pay(sync, orderFor(sync))).status, 201);
    assert.deepEqual(emulator.callbacks(), []);
    assert.deepEqual(sync.callbacks(), []);
  });

  it('can be posted before the answer, twice, or out of order', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    for (const [preset, codes] of [
      ['callback-early', ['INS-0']],
      ['callback-twice', ['INS-0', 'INS-0']],
      ['callback-contradictory', ['INS-6', 'INS-0']],
      ['callback-out-of-order', ['INS-0', 'INS-9']],
    ] as const) {
      emulator.chooser.setRules([{ match: {}, preset }]);
      const order = orderFor(emulator);
      const reference = order.input_ThirdPartyConversationID;
      await pay(emulator, order);
      if (preset === 'callback-early') {
        assert.equal(resultsAbout(receiver, reference).length, 1);
      }
      await waitUntil(preset, () => resultsAbout(receiver, reference).length === codes.length);
      const said = resultsAbout(receiver, reference).map((result) => result['input_ResultCode']);
      assert.deepEqual(said, codes);
    }
  });

  it('can have forged results posted by a sender that does not know the conversation id', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    emulator.chooser.setRules([{ match: {}, preset: 'callback-forged' }]);
    const order = orderFor(emulator);
    const reply = await pay(emulator, order);
    await waitUntil('two forged results and the real one', () => receiver.seen().length === 3);
    const about = resultsAbout(receiver, order.input_ThirdPartyConversationID);
    // The forged and the real results may arrive in either order.
    const isOurs = (result: JsonObject) =>
      result['input_OriginalConversationID'] === output(reply, 'ConversationID');
    const codesOf = (results: readonly JsonObject[]) =>
      results.map((result) => result['input_ResultCode']);
    assert.deepEqual(codesOf(about.filter(isOurs)), ['INS-0']);
    assert.deepEqual(codesOf(about.filter((result) => !isOurs(result))), ['INS-6']);
  });
});

describe('the receiver’s acknowledgement', () => {
  const result = {
    input_OriginalConversationID: 'c1',
    input_TransactionID: 't1',
    input_ResultCode: 'INS-0',
    input_ResultDesc: 'Request processed successfully',
    input_ThirdPartyConversationID: 'r1',
  };
  const right = {
    output_OriginalConversationID: 'c1',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: 'r1',
  };

  it('repeats both ids and says 0', () => {
    const read = readAcknowledgement(result, { status: 200, answer: JSON.stringify(right) });
    assert.deepEqual(read, { thirdPartyConversationId: 'r1', accepted: true, why: null });
  });

  it('does not count when any part of it is wrong', () => {
    for (const [status, answer] of [
      [null, ''],
      [500, JSON.stringify(right)],
      [200, ''],
      [200, 'OK'],
      [200, '[]'],
      [200, JSON.stringify({ ...right, output_ResponseCode: 0 })],
      [200, JSON.stringify({ ...right, output_ResponseCode: 'INS-0' })],
      [200, JSON.stringify({ ...right, output_ResponseDesc: undefined })],
      [200, JSON.stringify({ ...right, output_OriginalConversationID: 'c2' })],
      [200, JSON.stringify({ ...right, output_ThirdPartyConversationID: 'r2' })],
    ] as const) {
      const read = readAcknowledgement(result, { status, answer });
      assert.equal(read.accepted, false, answer);
      assert.notEqual(read.why, null);
    }
  });

  it('is recorded, valid or not, and the result is not posted again', async () => {
    await using receiver = await startCallbackReceiver();
    await using emulator = await startAsync(receiver);
    receiver.answerWith({ status: 200, body: 'OK' });
    const order = orderFor(emulator, { input_ThirdPartyConversationID: newId() });
    await pay(emulator, order);
    await waitUntil('the acknowledgement', () => emulator.acknowledgements().length === 1);
    assert.deepEqual(emulator.acknowledgements(), [
      {
        thirdPartyConversationId: order.input_ThirdPartyConversationID,
        accepted: false,
        why: 'not a JSON object',
      },
    ]);
    assert.equal(receiver.seen().length, 1);
  });
});

describe('an operator that was restarted', () => {
  it('posts the results that it has not posted yet', async () => {
    await using receiver = await startCallbackReceiver();
    await using first = await startAsync(receiver, { asyncPendingMs: 600_000_000 });
    const order = orderFor(first);
    await pay(first, order);
    await first.close();
    assert.deepEqual(receiver.seen(), []);
    const second = await startVodacomEmulator({
      port: 0,
      journalPath: join(first.folder, 'vodacom.jsonl'),
      keyPath: join(first.folder, 'key.pem'),
      // At this time scale the remaining time is over at once.
      timeScale: 0.000_000_1,
      responseUrl: receiver.url,
      settings: { flow: 'async' },
    });
    try {
      const result = await resultAbout(receiver, order.input_ThirdPartyConversationID);
      assert.equal(result['input_ResultCode'], 'INS-0');
    } finally {
      await second.close();
    }
  });
});
