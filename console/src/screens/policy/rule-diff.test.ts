import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PolicyDocument, PolicyRule } from '../../api/policy-types.ts';
import { compareClauses, compareRules, countChanges } from './rule-diff.ts';
import { needsOf, sayConditions } from './rule-sentence.ts';

const NAMES = { currency: 'ZMW', nameOf: (id: string) => id };
const approvals = { approvals: 1, of: ['approver', 'owner'] } as const;
const big: PolicyRule = {
  name: 'big',
  when: { amountAtLeast: '5000.00', source: ['api', 'file'] },
  require: approvals,
};
const night: PolicyRule = {
  name: 'night',
  when: { hours: { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' } },
  require: { screen: 'payouts' },
};
const say = (rule: PolicyRule) => {
  const needs = needsOf(rule.require).map(({ text }) => text);
  return `${sayConditions(rule, NAMES)}: ${needs.join(', ')}`.replaceAll('\u00a0', ' ');
};

describe('a rule as a sentence', () => {
  it('says every condition of the contract', () => {
    const rules: readonly PolicyRule[] = [
      big,
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
        when: {
          nameMatch: ['mismatch'],
          firstPayment: true,
          operator: ['mtn'],
          country: ['zm'],
          onAllowList: false,
          amountBelow: '10.00',
          metadata: { team: ['payroll', 'refunds'] },
          wallet: ['w1'],
          key: ['k1'],
        },
        require: { approvals: 1, of: ['owner'] },
      },
      night,
      { name: 'all', when: {}, require: { warn: true } },
    ];
    assert.deepEqual(rules.map(say), [
      'a payout of ZMW 5,000.00 or more and it comes from API or file: Needs 1 approval of approver or owner',
      'the sum of one wallet in a business day goes above ZMW 100,000.00: Refused',
      'more than 3 payouts of one recipient in 1 hour: Needs 2 approvals of approver',
      'same number and amount under another reference within 24 hours: Warn the maker',
      'a payout below ZMW 10.00, the operator’s name does not match, it is the first payment to the number, the number is not on the allow list, it is paid by MTN, the number is of Zambia, it leaves w1, it was made with the API key k1, and its metadata has team = payroll or refunds: Needs 1 approval of owner',
      'it is ordered or to be sent between 18:00 and 06:00 in Lusaka on Saturday or Sunday: Screening by “payouts”',
      'Every payout: Warn the maker',
    ]);
  });

  it('says all that one rule asks for', () => {
    const asked = needsOf({ ...approvals, warn: true, screen: 'payouts' });
    assert.deepEqual(
      asked.map(({ text }) => text),
      ['Needs 1 approval of approver or owner', 'Screening by “payouts”', 'Warn the maker'],
    );
  });
});

describe('a draft against the version in force', () => {
  const inForce: PolicyDocument = { rules: [big, night] };

  it('finds added, changed and removed rules in any order of keys', () => {
    const same: PolicyRule = {
      require: { of: ['approver', 'owner'], approvals: 1 },
      when: { source: ['api', 'file'], amountAtLeast: '5000.00' },
      name: 'big',
    };
    const added: PolicyRule = { ...night, name: 'evening' };
    const kinds = (rules: readonly PolicyRule[]) =>
      compareRules(inForce, { rules }).map(({ kind, rule }) => `${kind} ${rule.name}`);
    assert.deepEqual(kinds([same, night]), ['same big', 'same night']);
    assert.deepEqual(kinds([{ ...big, when: {} }, added]), [
      'changed big',
      'removed night',
      'added evening',
    ]);
    assert.equal(countChanges(inForce, { rules: [same, added] }), 2);
    assert.equal(countChanges(inForce, { rules: [same, night], sendLateWithin: 'PT1H' }), 1);
    assert.equal(countChanges(null, { rules: [big] }), 1);
  });

  it('shows in the sentence what stood there before', () => {
    const now: PolicyRule = { ...big, when: { amountAtLeast: '7500.00', firstPayment: true } };
    const clauses = compareClauses(now, big, NAMES);
    assert.deepEqual(
      clauses.map(({ condition, kind }) => `${kind} ${condition}`),
      ['same amountAtLeast', 'added firstPayment', 'removed source'],
    );
    const changed = clauses[0]?.pieces.find(({ isValue }) => isValue);
    assert.deepEqual(changed, {
      text: 'ZMW\u00a07,500.00',
      isValue: true,
      was: 'ZMW\u00a05,000.00',
    });
  });
});
