import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { startPawapayEmulator } from './pawapay-emulator.ts';
import { payoutBody, recipientOf, startTestMerchant } from './test-merchant.ts';

const DELAYED = { availability: { MTN_MOMO_ZMB: 'DELAYED' } } as const;
const OPERATIONAL = { MTN_MOMO_ZMB: 'OPERATIONAL' } as const;

describe('a payout to a provider that is delayed', () => {
  it('is accepted, enqueued, and paid once the provider is back', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const request = payoutBody({ clientReferenceId: 'INV-1', metadata: [{ orderId: 'ORD-1' }] });
    const payoutId = String(request.payoutId);
    const { body } = await merchant.pay(request);
    assert(typeof body === 'object' && body !== null && 'created' in body && 'status' in body);
    assert.equal(body.status, 'ACCEPTED');
    assert.deepEqual(await merchant.find(payoutId), {
      payoutId,
      status: 'ENQUEUED',
      amount: '15.00',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: recipientOf({}),
      clientReferenceId: 'INV-1',
      created: body.created,
      metadata: { orderId: 'ORD-1' },
    });
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"DUPLICATE_IGNORED"'));
    assert.deepEqual(merchant.emulator.backend.book(), []);
    await merchant.emulator.setAvailability({ MTN_MOMO_ZMB: 'CLOSED' });
    assert.equal((await merchant.find(payoutId)).status, 'ENQUEUED');
    await merchant.emulator.setAvailability(OPERATIONAL);
    const completed = await merchant.waitFor(payoutId, 'COMPLETED');
    assert.equal(completed.created, body.created);
    assert.equal(merchant.emulator.backend.book().length, 1);
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"DUPLICATE_IGNORED"'));
  });

  it('does not hold up other providers', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const payoutId = randomUUID();
    const recipient = recipientOf({ provider: 'AIRTEL_OAPI_ZMB', phoneNumber: '260973456780' });
    await merchant.pay({ payoutId, recipient });
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('can be cancelled while it is enqueued, and then fails with a callback', async () => {
    await using receiver = await startCallbackReceiver();
    const callbackUrl = `${receiver.url}/callbacks`;
    await using merchant = await startTestMerchant({ ...DELAYED, callbackUrl });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const cancel = () => merchant.call('POST', `/v2/payouts/fail-enqueued/${payoutId}`);
    assert.deepEqual(await cancel(), { status: 200, body: { payoutId, status: 'ACCEPTED' } });
    const { failureReason } = await merchant.waitFor(payoutId, 'FAILED');
    assert(JSON.stringify(failureReason).includes('"MANUALLY_CANCELLED"'));
    await waitUntil('the callback', () => receiver.seen().length > 0);
    assert(receiver.seen()[0]?.body.includes('"MANUALLY_CANCELLED"'));
    await merchant.emulator.setAvailability(OPERATIONAL);
    assert.equal((await merchant.find(payoutId)).status, 'FAILED');
    assert.deepEqual(merchant.emulator.backend.book(), []);
    const { status, body } = await cancel();
    assert.equal(status, 200);
    assert(JSON.stringify(body).startsWith('{"status":"REJECTED"'));
    assert(JSON.stringify(body).includes('"INVALID_STATE"'));
  });

  it('cannot be cancelled twice at once', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const cancel = () => merchant.call('POST', `/v2/payouts/fail-enqueued/${payoutId}`);
    const answers = await Promise.all([cancel(), cancel(), cancel()]);
    const accepted = answers.filter(({ body }) => JSON.stringify(body).includes('"ACCEPTED"'));
    assert.equal(accepted.length, 1);
  });

  it('cannot be cancelled when it is unknown, pending, or paid', async () => {
    await using merchant = await startTestMerchant();
    const cancel = async (payoutId: string) =>
      JSON.stringify((await merchant.call('POST', `/v2/payouts/fail-enqueued/${payoutId}`)).body);
    assert((await cancel(randomUUID())).includes('"NOT_FOUND"'));
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    assert((await cancel(payoutId)).includes('"INVALID_STATE"'));
    await merchant.waitFor(payoutId, 'COMPLETED');
    assert((await cancel(payoutId)).includes('"INVALID_STATE"'));
  });

  it('has no callback to resend while it is enqueued', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const { body } = await merchant.call('POST', `/v2/payouts/resend-callback/${payoutId}`);
    assert(JSON.stringify(body).includes('"INVALID_STATE"'));
  });

  it('has its money reserved', async () => {
    await using merchant = await startTestMerchant({ ...DELAYED, floatMinor: 20_00n });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId, amount: '15' });
    const balance = async () =>
      JSON.stringify((await merchant.call('GET', '/v2/wallet-balances?country=ZMB')).body);
    assert((await balance()).includes('"5.00"'));
    const { body } = await merchant.pay({ amount: '6' });
    assert(JSON.stringify(body).includes('"PAWAPAY_WALLET_OUT_OF_FUNDS"'));
    await merchant.call('POST', `/v2/payouts/fail-enqueued/${payoutId}`);
    assert((await balance()).includes('"20.00"'));
  });

  it('follows its behaviour: the answer at once, the rest when it leaves the queue', async () => {
    await using merchant = await startTestMerchant({ ...DELAYED, processingMs: 0 });
    const { chooser } = merchant.emulator;
    const [paid, failed] = [randomUUID(), randomUUID()];
    chooser.setRules([{ match: {}, behaviour: { answer: 'http500' } }]);
    assert.equal((await merchant.pay({ payoutId: paid })).status, 500);
    chooser.setRules([
      { match: {}, behaviour: { execute: 'never', refusal: 'WALLET_LIMIT_REACHED' } },
    ]);
    await merchant.pay({ payoutId: failed });
    chooser.setRules([]);
    for (const payoutId of [paid, failed]) {
      assert.equal((await merchant.find(payoutId)).status, 'ENQUEUED');
    }
    await merchant.emulator.setAvailability(OPERATIONAL);
    assert.equal((await merchant.find(paid)).status, 'COMPLETED');
    const { failureReason } = await merchant.find(failed);
    assert(JSON.stringify(failureReason).includes('"WALLET_LIMIT_REACHED"'));
  });

  it('can still be refused on arrival or lost', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const { chooser } = merchant.emulator;
    const [refused, lost] = [randomUUID(), randomUUID()];
    chooser.setRules([
      { match: {}, behaviour: { execute: 'never', refusal: 'INVALID_PHONE_NUMBER' } },
    ]);
    const { body } = await merchant.pay({ payoutId: refused });
    assert(JSON.stringify(body).includes('"INVALID_PHONE_NUMBER"'));
    chooser.setRules([{ match: {}, preset: 'token-expired' }]);
    assert.equal((await merchant.pay({ payoutId: lost })).status, 403);
    for (const payoutId of [refused, lost]) {
      assert.deepEqual(await merchant.statusOf(payoutId), { status: 'NOT_FOUND' });
    }
  });

  it('is restored after a restart, even before a torn line, and continues', async () => {
    await using merchant = await startTestMerchant(DELAYED);
    const { journalPath } = merchant;
    const [waiting, cancelled] = [randomUUID(), randomUUID()];
    await merchant.pay({ payoutId: waiting });
    await merchant.pay({ payoutId: cancelled });
    await merchant.call('POST', `/v2/payouts/fail-enqueued/${cancelled}`);
    await merchant.emulator.close();
    await appendFile(`${journalPath}.enqueued`, '{"payoutId":"torn');

    const delayed = await startPawapayEmulator({ journalPath, timeScale: 0.01, ...DELAYED });
    assert.equal(delayed.backend.find(waiting), undefined);
    const another = await fetch(`${delayed.url}/v2/payouts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${delayed.credentials.apiToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(payoutBody()),
    });
    assert.equal(another.status, 200);
    await delayed.close();

    const back = await startPawapayEmulator({ journalPath, timeScale: 0.01 });
    try {
      const references = back.backend.book().map(({ ourReference }) => ourReference);
      assert.equal(references.length, 2);
      assert(references.includes(waiting) && !references.includes(cancelled));
    } finally {
      await back.close();
    }
  });
});

describe('a provider that is closed', () => {
  it('refuses payouts until it opens', async () => {
    await using merchant = await startTestMerchant({ availability: { MTN_MOMO_ZMB: 'CLOSED' } });
    const request = payoutBody();
    const { status, body } = await merchant.pay(request);
    assert.equal(status, 200);
    assert(JSON.stringify(body).includes('"PROVIDER_TEMPORARILY_UNAVAILABLE"'));
    await merchant.emulator.setAvailability(OPERATIONAL);
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"ACCEPTED"'));
  });
});

describe('the switches of the emulator', () => {
  it('set and show the availability over HTTP', async () => {
    await using merchant = await startTestMerchant();
    const path = '/_pawapay/availability';
    const set = await merchant.call('PUT', path, { ZAMTEL_ZMB: 'DELAYED' });
    assert.equal(set.status, 204);
    const { body } = await merchant.call('GET', path);
    assert.deepEqual(body, {
      AIRTEL_OAPI_ZMB: 'OPERATIONAL',
      MTN_MOMO_ZMB: 'OPERATIONAL',
      ZAMTEL_ZMB: 'DELAYED',
      AIRTEL_NGA: 'OPERATIONAL',
      MTN_MOMO_NGA: 'OPERATIONAL',
    });
    const payoutId = randomUUID();
    const recipient = recipientOf({ provider: 'ZAMTEL_ZMB', phoneNumber: '260953456780' });
    await merchant.pay({ payoutId, recipient });
    assert.equal((await merchant.find(payoutId)).status, 'ENQUEUED');
    await merchant.call('PUT', path, { ZAMTEL_ZMB: 'OPERATIONAL' });
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('set where callbacks go', async () => {
    await using merchant = await startTestMerchant();
    const url = 'http://127.0.0.1:9/there';
    const set = await merchant.call('PUT', '/_pawapay/callback-url', { url });
    assert.equal(set.status, 204);
    const { body } = await merchant.call('GET', '/v2/active-conf');
    assert(JSON.stringify(body).includes(`"callbackUrl":"${url}"`));
    await merchant.call('PUT', '/_pawapay/callback-url', { url: null });
    const after = await merchant.call('GET', '/v2/active-conf');
    assert(!JSON.stringify(after.body).includes('callbackUrl'));
  });

  it('refuse unknown names and values', async () => {
    await using merchant = await startTestMerchant();
    const wrong = [
      ['availability', { MTN_MOMO_ZMB: 'LATER' }],
      ['availability', { MTN: 'CLOSED' }],
      ['availability', []],
      ['availability', '{'],
      ['callback-url', { url: 'there' }],
      ['callback-url', {}],
    ] as const;
    for (const [name, body] of wrong) {
      assert.equal((await merchant.call('PUT', `/_pawapay/${name}`, body)).status, 400, name);
    }
    assert.equal((await merchant.call('PUT', '/_pawapay/wallet', {})).status, 404);
    await assert.rejects(merchant.emulator.setAvailability({ MTN: 'CLOSED' }), RangeError);
    assert.throws(() => merchant.emulator.setCallbackUrl('there'), TypeError);
  });
});
