import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile, compileRules, KEY, ORDER, PERSON, QUIET } from '../../../test/test-policy.ts';
import { evaluate, NO_ANSWERS, NOTHING_MATCHED } from './evaluate.ts';
import { limitsLeft } from './limits-left.ts';
import { needsOf } from './needs-of.ts';
import type { Answers, Order } from './order.ts';

const CONTRACT = {
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
      when: {
        hours: { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' },
      },
      require: { screen: 'payouts' },
    },
  ],
};

describe('the document of the contract', () => {
  const policy = compile(CONTRACT);
  const matched = (order: Partial<Order>, answers: Partial<Answers> = {}) =>
    evaluate(policy, { ...ORDER, ...order }, { ...QUIET, ...answers }).matched;

  it('matches from the amount on, not below', () => {
    assert.deepEqual(matched({}), ['big']);
    assert.equal(evaluate(policy, { ...ORDER, amountMinor: 499_999n }, QUIET), NOTHING_MATCHED);
  });

  it('counts the transfer itself: a sum of exactly the limit is no more than it', () => {
    assert.deepEqual(matched({}, { sumMinor: () => 9_500_000n }), ['big']);
    assert.deepEqual(matched({}, { sumMinor: () => 9_500_001n }), ['big', 'daily']);
    assert.deepEqual(matched({}, { count: () => 2 }), ['big']);
    assert.deepEqual(matched({}, { count: () => 3 }), ['big', 'often']);
  });

  it('adds up what all matching rules require, and a refusal wins', () => {
    const full = { ...QUIET, sumMinor: () => 10_000_000n, count: () => 9, isSimilar: () => true };
    assert.deepEqual(evaluate(policy, ORDER, full), {
      refusedBy: 'daily',
      matched: ['big', 'daily', 'often', 'again'],
      approvals: [
        { rule: 'big', count: 1, of: ['approver', 'owner'] },
        { rule: 'often', count: 2, of: ['approver'] },
      ],
      warnings: ['again'],
      screens: [],
    });
  });

  it('wants all conditions of a rule', () => {
    const mismatch: Partial<Answers> = {
      nameMatch: () => 'mismatch',
      isFirstPayment: () => true,
    };
    const small = { amountMinor: 100n };
    assert.deepEqual(matched({ ...small, operator: 'mtn' }, mismatch), ['other name']);
    assert.deepEqual(matched(small, mismatch), []);
    assert.deepEqual(matched({ ...small, operator: 'mtn' }, { nameMatch: () => 'mismatch' }), []);
  });

  it('asks only for what may matter', () => {
    const kinds = (order: Partial<Order>) =>
      needsOf(policy, { ...ORDER, ...order }).map(({ kind }) => kind);
    assert.deepEqual(kinds({}), ['sum', 'count', 'similar']);
    assert.deepEqual(kinds({ operator: 'mtn' }), [
      'sum',
      'count',
      'similar',
      'firstPayment',
      'nameMatch',
    ]);
  });

  it('says how much of each limit is left, never less than nothing', () => {
    const left = (answers: Partial<Answers>) =>
      limitsLeft(policy, ORDER, { ...QUIET, ...answers }).map(({ rule, left: rest }) => [
        rule,
        rest.kind === 'sum' ? rest.minor : rest.count,
      ]);
    assert.deepEqual(left({ sumMinor: () => 1n, count: () => 1 }), [
      ['daily', 9_999_999n],
      ['often', 2],
    ]);
    assert.deepEqual(left({ sumMinor: () => 20_000_000n, count: () => 9 }), [
      ['daily', 0n],
      ['often', 0],
    ]);
  });
});

describe('a condition', () => {
  const holds = (when: object, order: Partial<Order> = {}, answers: Partial<Answers> = {}) =>
    evaluate(compileRules(when), { ...ORDER, ...order }, { ...QUIET, ...answers }).matched
      .length === 1;

  it('that is empty matches every transfer', () => {
    assert.ok(holds({}));
  });

  it('by key or person matches none that has no such maker', () => {
    const above = { window: 'PT1H', above: 0 };
    assert.ok(holds({ count: { by: 'key', ...above } }));
    assert.ok(!holds({ count: { by: 'person', ...above } }));
    assert.ok(holds({ count: { by: 'person', ...above } }, { keyId: null, personId: PERSON }));
    assert.ok(!holds({ key: [KEY] }, { keyId: null }));
  });

  it('on metadata wants each key with one of its values', () => {
    const when = { metadata: { team: ['payroll', 'refunds'], kind: 'bonus' } };
    const having = (metadata: Order['metadata']) => holds(when, { metadata });
    assert.ok(having({ team: 'refunds', kind: 'bonus', more: 'x' }));
    assert.ok(!having({ team: 'refunds' }));
    assert.ok(!having({ team: 'others', kind: 'bonus' }));
    assert.ok(!having(null));
    assert.ok(!holds({ metadata: { constructor: 'x' } }, { metadata: {} }));
  });

  it('on a name that is not known matches the word unknown alone', () => {
    assert.ok(holds({ nameMatch: ['unknown'] }));
    assert.ok(!holds({ nameMatch: ['match', 'close', 'mismatch'] }));
  });

  it('may want that something is not so', () => {
    assert.ok(holds({ firstPayment: false, onAllowList: false }));
    assert.ok(!holds({ firstPayment: false }, {}, { isFirstPayment: () => true }));
    assert.ok(!holds({ onAllowList: true }));
  });

  it('asks about nothing of the past unless it must', () => {
    const policy = compileRules(
      { amountAtLeast: '1.00' },
      { hours: { zone: 'UTC', from: '18:00', to: '06:00' } },
    );
    assert.ok(policy.isSimple);
    assert.deepEqual(needsOf(policy, ORDER), []);
    assert.deepEqual(evaluate(policy, ORDER, NO_ANSWERS).matched, ['r0']);
    assert.throws(() => evaluate(compile(CONTRACT), ORDER, NO_ANSWERS), /needsOf/);
  });
});
