import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setWalletLimit } from '../../src/merchants/set-wallet-limit.ts';
import { putPolicy } from '../put-policy.ts';
import { TEST_ACTOR } from '../test-actor.ts';
import { bookOf, createTestMerchant } from '../test-merchant.ts';
import { listOf } from './api-client.ts';
import { openContract } from './open-contract.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, api } = contract;
const walletId = merchant.wallets.test.ZMW;
const book = bookOf(merchant);

const limits = async (query = '') => listOf((await api.get(`limits${query}`)).data.items);

it('shows nothing where there is no limit', async () => {
  const other = await createTestMerchant(database);
  const { data } = await contract.apiWith(other.keys.test).get('limits');
  assert.deepEqual([data.items, data.isComplete], [[], true]);
});

it("shows a wallet's daily limit, what was used of it, and when the day ends", async () => {
  const deps = { database, now: () => new Date(), newId: () => crypto.randomUUID() };
  const wallet = await merchant.createWallet({ fundedMinor: 10_000n });
  await setWalletLimit(deps, { actor: TEST_ACTOR, id: wallet, dailyLimitMinor: 5_000n });
  await contract.initiate({ walletId: wallet, amount: 12.5 });
  const [limit, ...more] = await limits();
  assert.equal(more.length, 0);
  const { rule, kind, by, subject, left, used, window, currency, resetsAt } = limit ?? {};
  assert.deepEqual(
    { rule, kind, by, subject, left, used, window, currency, limit: limit?.limit },
    {
      rule: null,
      kind: 'sum',
      by: 'wallet',
      subject: wallet,
      left: '37.50',
      used: '12.50',
      window: 'day',
      currency: 'ZMW',
      limit: '50.00',
    },
  );
  const endsInMs = Date.parse(String(resetsAt)) - Date.now();
  assert.ok(endsInMs > 0 && endsInMs <= 24 * 60 * 60_000, String(resetsAt));
});

it('shows each sum and count of the policy for all that it is counted by, and recipients when asked', async () => {
  await putPolicy(database, book, [
    {
      name: 'per wallet',
      when: { sum: { by: 'wallet', day: true, above: '100.00' }, wallet: [walletId] },
      require: { refuse: true },
    },
    {
      name: 'per key',
      when: { count: { by: 'key', window: 'PT1H', above: 3 } },
      require: { warn: true },
    },
    {
      name: 'per operator',
      when: {
        sum: { by: 'operator', window: 'P1DT12H', above: '9.00' },
        operator: ['airtel'],
        country: ['zm'],
      },
      require: { warn: true },
    },
    {
      name: 'per number',
      when: { sum: { by: 'recipient', day: true, above: '20.00' } },
      require: { refuse: true },
    },
  ]);
  await contract.initiate({ amount: 4, phone: '0977433571' });
  await contract.initiate({ amount: 1.25, phone: '0977433572' });
  const of = async (rule: string, query = '') =>
    (await limits(query))
      .filter((limit) => limit.rule === rule && limit.currency === 'ZMW')
      .map(({ kind, limit, used, left, window, refuses }) => ({
        kind,
        limit,
        used,
        left,
        window,
        refuses,
      }));
  assert.deepEqual(await of('per wallet'), [
    { kind: 'sum', limit: '100.00', used: '5.25', left: '94.75', window: 'day', refuses: true },
  ]);
  const [byKey] = await of('per key');
  // Payouts of the other tests were made with the same key before.
  assert.deepEqual(
    [byKey?.kind, byKey?.limit, byKey?.window, byKey?.refuses],
    ['count', '3', 'PT1H', false],
  );
  assert.ok(Number(byKey?.used) >= 2);
  assert.equal(Number(byKey?.left), Math.max(0, 3 - Number(byKey?.used)));
  const [byOperator, ...others] = await of('per operator');
  assert.deepEqual([byOperator?.window, others.length], ['P1DT12H', 0]);
  assert.deepEqual(await of('per number'), []);
  const [toNumber] = await of('per number', '?phone=0977433572');
  assert.deepEqual([toNumber?.used, toNumber?.left], ['1.25', '18.75']);
  const order = (amount: number) => contract.order({ amount, phone: '0977433572' });
  await contract.initiate(order(18.75));
  const [full] = await of('per number', '?phone=0977433572');
  assert.deepEqual([full?.used, full?.left], ['20.00', '0.00']);
  const preflight = await api.post('transfers/mobile-money/preflight', order(0.01));
  assert.equal(preflight.data.wouldAccept, false);
});
