import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCallbackReceiver } from '../kernel/callback-receiver.ts';
import { waitUntil } from '../kernel/wait-until.ts';
import { payoutBody, recipientOf, startTestMerchant } from './test-merchant.ts';

describe('payouts in bulk', () => {
  it('are decided one by one, in order', async () => {
    await using merchant = await startTestMerchant();
    const [good, poor, broken, again] = [
      payoutBody(),
      payoutBody({ amount: '0' }),
      payoutBody({ currency: undefined }),
      payoutBody(),
    ];
    await merchant.pay(again);
    const items = [good, poor, broken, again, 'text'];
    const { status, body } = await merchant.call('POST', '/v2/payouts/bulk', items);
    assert.equal(status, 200);
    assert(Array.isArray(body));
    assert.deepEqual(
      body.map(({ payoutId, status: word, failureReason }) => [
        payoutId,
        word,
        failureReason?.failureCode,
      ]),
      [
        [good.payoutId, 'ACCEPTED', undefined],
        [poor.payoutId, 'REJECTED', 'AMOUNT_OUT_OF_BOUNDS'],
        [broken.payoutId, 'REJECTED', 'MISSING_PARAMETER'],
        [again.payoutId, 'DUPLICATE_IGNORED', undefined],
        [undefined, 'REJECTED', 'INVALID_INPUT'],
      ],
    );
    await merchant.waitFor(String(good.payoutId), 'COMPLETED');
    assert.equal(merchant.emulator.backend.book().length, 2);
  });

  it('are refused unless they are a list of 1 to 20', async () => {
    await using merchant = await startTestMerchant();
    const bulk = (items: unknown) => merchant.call('POST', '/v2/payouts/bulk', items);
    const many = (count: number) => Array.from({ length: count }, () => payoutBody());
    for (const items of [[], many(21), payoutBody()]) {
      const { status, body } = await bulk(items);
      assert.equal(status, 400);
      assert(JSON.stringify(body).includes('"INVALID_INPUT"'));
    }
    assert.deepEqual(merchant.emulator.backend.book(), []);
    assert.equal((await bulk(many(20))).status, 200);
    assert.equal(merchant.emulator.backend.book().length, 20);
  });

  it('each have a callback at their end', async () => {
    await using receiver = await startCallbackReceiver();
    await using merchant = await startTestMerchant({ callbackUrl: receiver.url });
    const items = [payoutBody(), payoutBody(), payoutBody()];
    await merchant.call('POST', '/v2/payouts/bulk', items);
    await waitUntil('three callbacks', () => receiver.seen().length >= 3);
    for (const { payoutId } of items) {
      assert(receiver.seen().some(({ body }) => body.includes(String(payoutId))));
    }
  });

  it('share one answer, which the behaviour of one of them can replace', async () => {
    await using merchant = await startTestMerchant();
    const match = { msisdnEndsIn: '81' };
    merchant.emulator.chooser.setRules([{ match, behaviour: { answer: 'http500' } }]);
    const recipient = recipientOf({ phoneNumber: '260763456781' });
    const items = [payoutBody(), payoutBody({ recipient })];
    const { status } = await merchant.call('POST', '/v2/payouts/bulk', items);
    assert.equal(status, 500);
    assert.equal(merchant.emulator.backend.book().length, 2);
  });
});
