import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compile } from '../../../test/test-policy.ts';
import { describeRule } from './describe-rule.ts';

function describes(when: object, require: object): string {
  const [rule] = compile({ rules: [{ name: 'one', when, require }] }).policy.rules;
  assert.ok(rule !== undefined);
  return describeRule(rule);
}

for (const [when, require, sentence] of [
  [{}, { warn: true }, 'Of every payout: warn.'],
  [
    { amountAtLeast: '1234567.5', source: ['api', 'file', 'console'] },
    { approvals: 1, of: ['approver', 'owner'] },
    'If the amount is 1,234,567.50 or more and it comes from the API, a payout file or the console: ask for 1 approval by an approver or an owner.',
  ],
  [
    { sum: { by: 'wallet', day: true, above: '100000.00' } },
    { refuse: true },
    'If payouts from the same wallet on one business day come to more than 100,000.00: refuse it.',
  ],
  [
    { count: { by: 'recipient', window: 'PT90M', above: 3 }, onAllowList: false },
    { approvals: 2, of: ['approver'] },
    'If there are more than 3 payouts to the same number within 90 minutes and the number is not on the allow list: ask for 2 approvals by an approver.',
  ],
  [
    { similarWithin: 'PT24H', firstPayment: false },
    { warn: true, screen: 'payouts' },
    'If the number was paid before and the same number got the same amount 1 day before or less: ask the screener payouts and warn.',
  ],
  [
    { hours: { zone: 'Africa/Lusaka', days: ['sat', 'sun'], from: '18:00', to: '06:00' } },
    { screen: 'payouts' },
    'If it is ordered or to be sent from 18:00 of Saturday or Sunday to 06:00 the next day in Africa/Lusaka: ask the screener payouts.',
  ],
  [
    {
      hours: { zone: 'Africa/Lagos', from: '00:00', to: '24:00' },
      operator: ['mtn'],
      country: ['ng'],
      nameMatch: ['mismatch', 'unknown'],
      metadata: { team: 'payroll' },
      amountBelow: '10.00',
    },
    { warn: true },
    'If the amount is less than 10.00, the name check says mismatch or unknown, it is ordered or to be sent from 00:00 to 24:00 in Africa/Lagos, the operator is mtn, the country is ng and its team is payroll: warn.',
  ],
] as const) {
  it(sentence, () => assert.equal(describes(when, require), sentence));
}
