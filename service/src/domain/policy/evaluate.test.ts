import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compilePolicy } from './compile-policy.ts';
import { evaluate } from './evaluate.ts';
import { needsOf } from './needs-of.ts';
import type { Answers, Order } from './order.ts';
import { parsePolicy } from './parse-policy.ts';

const DOCUMENT = {
  sendLateWithin: 'PT24H',
  approvalExpiresAfter: 'P7D',
  rules: [
    {
      name: 'big',
      when: { amountAtLeast: '5000.00', source: ['api', 'file', 'console', 'schedule'] },
      require: { approvals: 1, of: ['approver', 'owner'] },
    },
    {
      name: 'daily',
      when: { sum: { by: 'wallet', day: true, above: '100000.00' } },
      require: { refuse: true },
    },
    {
      name: 'often',
      when: { count: { by: 'recipient', window: 'PT1H', above: 3 } },
      require: { approvals: 2, of: ['approver'] },
    },
    { name: 'again', when: { similarWithin: 'PT24H' }, require: { warn: true } },
    {
      name: 'other name',
      when: { nameMatch: ['mismatch'], firstPayment: true, operator: ['mtn'], country: ['zm'] },
      require: { approvals: 1, of: ['owner'] },
    },
    {
      name: 'night',
      when: { hours: { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' } },
      require: { screen: 'payouts' },
    },
  ],
};

const ORDER: Order = {
  amountMinor: 500_000n,
  currency: 'ZMW',
  phone: '+260977433571',
  operator: 'airtel',
  country: 'zm',
  walletId: '019b7e1c-0000-7000-8000-000000000001',
  keyId: '019b7e1c-0000-7000-8000-000000000002',
  personId: null,
  source: 'api',
  metadata: null,
  recipientName: null,
  at: new Date('2026-11-16T09:00:00Z'),
};

const QUIET: Answers = {
  sumMinor: () => 0n,
  count: () => 0,
  isFirstPayment: () => false,
  isSimilar: () => false,
  nameMatch: () => null,
  isOnAllowList: () => false,
};

it('decides by the document of the contract', () => {
  const parsed = parsePolicy(DOCUMENT);
  assert.ok(parsed.isValid);
  const policy = compilePolicy(parsed.policy);
  assert.deepEqual(evaluate(policy, ORDER, QUIET).matched, ['big']);
  assert.deepEqual(evaluate(policy, { ...ORDER, amountMinor: 499_999n }, QUIET).matched, []);
  const full = { ...QUIET, sumMinor: () => 9_500_001n, count: () => 3 };
  assert.deepEqual(evaluate(policy, ORDER, full).matched, ['big', 'daily', 'often']);
  assert.equal(evaluate(policy, ORDER, full).refusedBy, 'daily');
  assert.deepEqual(
    needsOf(policy, ORDER).map(({ kind }) => kind),
    ['sum', 'count', 'similar'],
  );
});
