import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { startPawapayEmulator } from './pawapay-emulator.ts';
import { bodyOf, seen } from './test-callbacks.ts';
import { startTestMerchant } from './test-merchant.ts';

const PATH = '/callbacks/pawapay';

describe('a callback', () => {
  it('is posted once at the end, with the same data as a status query', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: `${receiver.url}${PATH}` });
    const payoutId = randomUUID();
    await merchant.pay({ payoutId, clientReferenceId: 'INV-1' });
    const [callback] = await seen(receiver, 1);
    assert.equal(callback?.method, 'POST');
    assert.equal(callback.path, PATH);
    assert.equal(callback.headers['content-type'], 'application/json; charset=UTF-8');
    assert.equal(callback.headers.signature, undefined);
    assert.deepEqual(bodyOf(callback), await merchant.find(payoutId));
    assert.equal(bodyOf(callback).status, 'COMPLETED');
    const other = randomUUID();
    await merchant.pay({ payoutId: other });
    const all = await seen(receiver, 2);
    assert.deepEqual(
      all.map((one) => bodyOf(one).payoutId),
      [payoutId, other],
    );
  });

  it('reports a failure with its reason', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: `${receiver.url}${PATH}` });
    merchant.emulator.chooser.setRules([
      { match: {}, behaviour: { execute: 'never', refusal: 'RECIPIENT_LIMIT_REACHED' } },
    ]);
    await merchant.pay();
    const { status, failureReason } = bodyOf((await seen(receiver, 1))[0]);
    assert.equal(status, 'FAILED');
    assert(JSON.stringify(failureReason).includes('"RECIPIENT_LIMIT_REACHED"'));
  });

  it('is not sent for a payout that was refused on arrival', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: `${receiver.url}${PATH}` });
    const behaviour = { execute: 'never', refusal: 'INVALID_PHONE_NUMBER' } as const;
    merchant.emulator.chooser.setRules([{ match: {}, behaviour, times: 1 }]);
    const [refused, paid] = [randomUUID(), randomUUID()];
    await merchant.pay({ payoutId: refused });
    await merchant.pay({ payoutId: paid });
    await seen(receiver, 1);
    assert.deepEqual(
      receiver.seen().map((one) => bodyOf(one).payoutId),
      [paid],
    );
  });

  it('is retried with the same body until it is answered with 200; another 2xx is not enough', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      timeScale: 0.005,
    });
    receiver.answerWith({ status: 503, body: '' });
    await merchant.pay();
    await seen(receiver, 3);
    receiver.answerWith({ status: 202, body: '' });
    const refused = receiver.seen().length;
    await seen(receiver, refused + 2);
    receiver.answerWith({ status: 200, body: '' });
    const answered = () => merchant.emulator.callbacks().some(({ status }) => status === 200);
    await waitUntil('a delivery', answered);
    assert.equal(new Set(receiver.seen().map(({ body }) => body)).size, 1);
    const attempts = merchant.emulator.callbacks();
    assert.equal(
      attempts.findIndex(({ status }) => status === 200),
      attempts.length - 1,
    );
  });

  it('is given up after 15 minutes', async () => {
    await using receiver = await startCallbackReceiver();
    receiver.answerWith({ status: 500, body: '' });
    await using merchant = await startTestMerchant({
      callbackUrl: `${receiver.url}${PATH}`,
      timeScale: 0.0001,
    });
    const [first, second] = [randomUUID(), randomUUID()];
    const attemptsOf = (payoutId: string) =>
      receiver.seen().filter((callback) => bodyOf(callback).payoutId === payoutId).length;
    await merchant.pay({ payoutId: first });
    await waitUntil('all attempts of the first', () => attemptsOf(first) >= 11);
    await merchant.pay({ payoutId: second });
    await waitUntil('all attempts of the second', () => attemptsOf(second) >= 11);
    assert.equal(attemptsOf(first), 11);
  });

  it('can be resent once the payout has ended', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: `${receiver.url}${PATH}` });
    merchant.emulator.chooser.setRules([{ match: {}, behaviour: { callback: 'none' } }]);
    const resend = (payoutId: string) =>
      merchant.call('POST', `/v2/payouts/resend-callback/${payoutId}`);
    const payoutId = randomUUID();
    await merchant.pay({ payoutId });
    await merchant.waitFor(payoutId, 'COMPLETED');
    assert.deepEqual(receiver.seen(), []);
    assert.deepEqual(await resend(payoutId), {
      status: 200,
      body: { payoutId, status: 'ACCEPTED' },
    });
    assert.deepEqual(bodyOf((await seen(receiver, 1))[0]), await merchant.find(payoutId));
    const unknown = await resend(randomUUID());
    assert.equal(unknown.status, 200);
    assert(JSON.stringify(unknown.body).includes('"NOT_FOUND"'));
    merchant.emulator.chooser.setRules([{ match: {}, preset: 'pending-for-ever' }]);
    const pending = randomUUID();
    await merchant.pay({ payoutId: pending });
    assert(JSON.stringify((await resend(pending)).body).includes('"INVALID_STATE"'));
  });

  it('can come before the answer, twice, contradictory, or out of order', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: `${receiver.url}${PATH}` });
    const { chooser } = merchant.emulator;
    chooser.setRules([{ match: {}, behaviour: { callback: 'early' } }]);
    await merchant.pay();
    assert.equal(receiver.seen().length, 1);
    const expected = {
      twice: ['COMPLETED', 'COMPLETED'],
      contradictory: ['FAILED', 'COMPLETED'],
    } as const;
    for (const [callback, words] of Object.entries(expected)) {
      const before = receiver.seen().length;
      const rule = callback === 'twice' ? 'callback-twice' : 'callback-contradictory';
      chooser.setRules([{ match: {}, preset: rule }]);
      await merchant.pay();
      const both = (await seen(receiver, before + 2)).slice(before);
      assert.deepEqual(
        both.map((one) => bodyOf(one).status),
        words,
      );
    }
    const before = receiver.seen().length;
    chooser.setRules([{ match: {}, preset: 'callback-out-of-order' }]);
    await merchant.pay();
    const [end, pending] = (await seen(receiver, before + 2)).slice(before);
    assert.equal(bodyOf(end).status, 'COMPLETED');
    assert.equal(bodyOf(pending).status, 'IN_RECONCILIATION');
  });

  it('is sent after a restart for payouts that end then, except refused ones', async () => {
    await using receiver = await startCallbackReceiver();
    const callbackUrl = `${receiver.url}${PATH}`;
    const hour = { pendingMs: 3_600_000 };
    await using merchant = await startTestMerchant({ callbackUrl, timeScale: 1 });
    const { chooser } = merchant.emulator;
    chooser.setRules([
      { match: {}, behaviour: { ...hour, execute: 'never', refusal: 'INVALID_PHONE_NUMBER' } },
    ]);
    await merchant.pay();
    const payoutId = randomUUID();
    chooser.setRules([{ match: {}, behaviour: hour }]);
    await merchant.pay({ payoutId });
    await merchant.emulator.close();
    const { journalPath } = merchant;
    const again = await startPawapayEmulator({ journalPath, callbackUrl, timeScale: 1e-6 });
    try {
      const callbacks = await seen(receiver, 1);
      await waitUntil('both ends', () => again.backend.open().length === 0);
      assert.deepEqual(
        callbacks.map((one) => bodyOf(one).payoutId),
        [payoutId],
      );
    } finally {
      await again.close();
    }
  });
});
