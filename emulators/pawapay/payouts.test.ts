import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Behaviour } from '../kernel/behaviour.ts';
import { startPawapayEmulator } from './pawapay-emulator.ts';
import { payoutBody, recipientOf, startTestMerchant } from './test-merchant.ts';

const CREATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ORDER = ['ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'COMPLETED'];

describe('a payout', () => {
  it('is accepted, and completed later, with all requested values', async () => {
    await using merchant = await startTestMerchant();
    const payoutId = randomUUID();
    const { status, body } = await merchant.pay({
      payoutId,
      amount: '15.5',
      clientReferenceId: 'INV-123456',
      customerMessage: 'Note of 4 to 22 chars',
      metadata: [{ orderId: 'ORD-1' }, { customerId: 'a@b.c', isPII: true }],
    });
    assert.equal(status, 200);
    assert(typeof body === 'object' && body !== null && 'created' in body);
    assert.match(String(body.created), CREATED);
    assert.deepEqual(body, { payoutId, status: 'ACCEPTED', created: body.created });
    const { providerTransactionId, ...found } = await merchant.waitFor(payoutId, 'COMPLETED');
    assert.deepEqual(found, {
      payoutId,
      status: 'COMPLETED',
      amount: '15.50',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: recipientOf({}),
      clientReferenceId: 'INV-123456',
      customerMessage: 'Note of 4 to 22 chars',
      created: body.created,
      metadata: { orderId: 'ORD-1', customerId: 'a@b.c' },
    });
    const [entry, ...others] = merchant.emulator.backend.book();
    assert.deepEqual(others, []);
    assert.equal(entry?.ourReference, payoutId);
    assert.equal(entry.msisdn, '260763456780');
    assert.equal(entry.amountMinor, '1550');
    assert.equal(entry.currency, 'ZMW');
    assert.equal(entry.operatorTransactionId, providerTransactionId);
  });

  it('that comes again with other content is recorded as a violation', async () => {
    await using merchant = await startTestMerchant();
    const payoutId = randomUUID();
    await merchant.pay({ payoutId, amount: '15.5' });
    await merchant.pay({ payoutId, amount: '15.50' });
    assert.deepEqual(merchant.emulator.backend.violations(), []);
    await merchant.pay({ payoutId, amount: '16' });
    const [violation] = merchant.emulator.backend.violations();
    assert.equal(violation?.first.amountMinor, '1550');
    assert.equal(violation.again.amountMinor, '1600');
    const became = merchant.emulator.backend.submissions().map((one) => one.became);
    assert.deepEqual(became, ['taken', 'duplicate', 'duplicate']);
  });

  it('passes through the pending statuses in one direction only', async () => {
    await using merchant = await startTestMerchant({ timeScale: 1, processingMs: 300 });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    let reached = 0;
    while (reached < ORDER.length - 1) {
      const { status, providerTransactionId } = await merchant.find(payoutId);
      const at = ORDER.indexOf(String(status));
      assert(at >= reached, `${String(status)} after ${ORDER[reached]}`);
      assert.equal(providerTransactionId !== undefined, status === 'COMPLETED');
      reached = at;
    }
  });

  it('is ignored the second time, also with other content, and paid once', async () => {
    await using merchant = await startTestMerchant();
    const first = payoutBody();
    const answers = await Promise.all(Array.from({ length: 20 }, () => merchant.pay(first)));
    const words = answers.map(({ body }) => JSON.stringify(body));
    assert.equal(words.filter((word) => word.includes('"ACCEPTED"')).length, 1);
    assert.equal(words.filter((word) => word.includes('"DUPLICATE_IGNORED"')).length, 19);
    const payoutId = String(first.payoutId);
    const before = await merchant.waitFor(payoutId, 'COMPLETED');
    for (const changes of [{ amount: '99' }, { amount: '0' }, { currency: 'NGN' }]) {
      const { status, body } = await merchant.pay({ ...first, ...changes });
      assert.equal(status, 200);
      const created = before.created;
      assert.deepEqual(body, { payoutId, status: 'DUPLICATE_IGNORED', created });
    }
    const upperCase = await merchant.pay({ ...first, payoutId: payoutId.toUpperCase() });
    assert(JSON.stringify(upperCase.body).includes('DUPLICATE_IGNORED'));
    assert.deepEqual(await merchant.find(payoutId), before);
    assert.equal(merchant.emulator.backend.book().length, 1);
  });

  it('to a number without an account is accepted and fails', async () => {
    await using merchant = await startTestMerchant();
    const payoutId = randomUUID();
    await merchant.pay({ payoutId, recipient: recipientOf({ phoneNumber: '260763456901' }) });
    const { failureReason } = await merchant.waitFor(payoutId, 'FAILED');
    assert(JSON.stringify(failureReason).includes('"RECIPIENT_NOT_FOUND"'));
    assert.deepEqual(merchant.emulator.backend.book(), []);
  });

  it('to a number with the prefix of another operator is paid: numbers are ported', async () => {
    await using merchant = await startTestMerchant();
    const payoutId = randomUUID();
    await merchant.pay({ payoutId, recipient: recipientOf({ phoneNumber: '260973456780' }) });
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('in naira has its country and its limits', async () => {
    await using merchant = await startTestMerchant();
    const payoutId = randomUUID();
    const recipient = recipientOf({ phoneNumber: '2348134567890', provider: 'MTN_MOMO_NGA' });
    await merchant.pay({ payoutId, recipient, currency: 'NGN', amount: '250000' });
    const { country, amount } = await merchant.waitFor(payoutId, 'COMPLETED');
    assert.deepEqual([country, amount], ['NGA', '250000.00']);
  });
});

describe('a payout that is not found', () => {
  it('is still not found later when it was never submitted', async () => {
    await using merchant = await startTestMerchant();
    assert.deepEqual(await merchant.statusOf(randomUUID()), { status: 'NOT_FOUND' });
  });

  it('may have been accepted and be executed late', async () => {
    await using merchant = await startTestMerchant();
    const { emulator } = merchant;
    emulator.chooser.setRules([{ match: {}, behaviour: { execute: 'late', lateMs: 1e9 } }]);
    const request = payoutBody();
    const payoutId = String(request.payoutId);
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"ACCEPTED"'));
    assert.deepEqual(await merchant.statusOf(payoutId), { status: 'NOT_FOUND' });
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"DUPLICATE_IGNORED"'));
    const resend = await merchant.call('POST', `/v2/payouts/resend-callback/${payoutId}`);
    assert(JSON.stringify(resend.body).includes('"NOT_FOUND"'));
    assert.deepEqual(emulator.backend.book(), []);
    assert.equal(await emulator.backend.flush(), 1);
    await merchant.waitFor(payoutId, 'COMPLETED');
    assert.equal(emulator.backend.book().length, 1);
  });

  it('may have been accepted a moment ago', async () => {
    await using merchant = await startTestMerchant({ notFoundMs: 1e9 });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    assert.deepEqual(await merchant.statusOf(payoutId), { status: 'NOT_FOUND' });
    assert.equal(merchant.emulator.backend.book().length, 1);
  });

  it('is found when it is old enough', async () => {
    await using merchant = await startTestMerchant({ notFoundMs: 5_000 });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    await merchant.waitFor(payoutId, 'COMPLETED');
  });
});

describe('an answer that goes wrong', () => {
  const spoil = async (answer: Behaviour['answer']) => {
    const merchant = await startTestMerchant();
    merchant.emulator.chooser.setRules([{ match: {}, behaviour: { answer } }]);
    return merchant;
  };

  it('can be pawaPay’s own 500, and the payout is paid', async () => {
    await using merchant = await spoil('http500');
    const payoutId = randomUUID();
    const { status, body } = await merchant.pay({ payoutId });
    assert.equal(status, 500);
    assert.deepEqual(body, {
      failureReason: {
        failureCode: 'UNKNOWN_ERROR',
        failureMessage: 'Unable to process request due to an unknown problem.',
      },
    });
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('can be a gateway’s 400 without a code of pawaPay’s, and the payout is paid', async () => {
    await using merchant = await spoil('http400');
    const payoutId = randomUUID();
    const { status, body } = await merchant.pay({ payoutId });
    assert.equal(status, 400);
    assert(!JSON.stringify(body).includes('failureCode'));
    await merchant.waitFor(payoutId, 'COMPLETED');
  });

  it('can be an expired token', async () => {
    await using merchant = await startTestMerchant();
    merchant.emulator.chooser.setRules([{ match: {}, preset: 'token-expired', times: 1 }]);
    const request = payoutBody();
    const { status, body } = await merchant.pay(request);
    assert.equal(status, 403);
    assert(JSON.stringify(body).includes('"AUTHENTICATION_ERROR"'));
    assert(JSON.stringify((await merchant.pay(request)).body).includes('"ACCEPTED"'));
  });

  it('can be missing, and the payout is paid', async () => {
    for (const answer of ['reset', 'resetMidBody'] as const) {
      await using merchant = await spoil(answer);
      const payoutId = randomUUID();
      await assert.rejects(merchant.pay({ payoutId }));
      await merchant.waitFor(payoutId, 'COMPLETED');
    }
  });

  it('can be that of a status query', async () => {
    await using merchant = await startTestMerchant();
    merchant.emulator.chooser.setRules([{ match: {}, preset: 'inquiry-down' }]);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    const { status, body } = await merchant.call('GET', `/v2/payouts/${payoutId}`);
    assert.equal(status, 500);
    assert(JSON.stringify(body).includes('"UNKNOWN_ERROR"'));
  });

  it('can have another amount or number', async () => {
    await using merchant = await startTestMerchant({ processingMs: 0 });
    const { chooser } = merchant.emulator;
    const [amountId, numberId] = [randomUUID(), randomUUID()];
    chooser.setRules([{ match: {}, behaviour: { inquiry: 'wrongAmount' } }]);
    await merchant.pay({ payoutId: amountId });
    assert.equal((await merchant.find(amountId)).amount, '16.00');
    chooser.setRules([{ match: {}, behaviour: { inquiry: 'wrongNumber' } }]);
    await merchant.pay({ payoutId: numberId });
    const { recipient } = await merchant.find(numberId);
    assert.deepEqual(recipient, recipientOf({ phoneNumber: '260763456781' }));
  });
});

describe('an emulator that is restarted', () => {
  it('is the same account, and still has its payments', async () => {
    await using merchant = await startTestMerchant();
    const request = payoutBody();
    await merchant.pay(request);
    await merchant.emulator.close();
    const { journalPath } = merchant;
    const again = await startPawapayEmulator({ journalPath, timeScale: 0.01 });
    try {
      assert.deepEqual(again.credentials, merchant.emulator.credentials);
      assert.equal(again.backend.book().length, 1);
      const answer = await fetch(`${again.url}/v2/payouts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${again.credentials.apiToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(request),
      });
      assert((await answer.text()).includes('"DUPLICATE_IGNORED"'));
    } finally {
      await again.close();
    }
  });
});
