import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compile, ORDER, QUIET } from '../../../test/test-policy.ts';
import { evaluate } from './evaluate.ts';
import { findImpossible } from './find-impossible.ts';
import { implies } from './implies.ts';
import type { Answers, Order } from './order.ts';

const PEOPLE = [
  { id: 'a', roles: ['owner'] },
  { id: 'b', roles: ['approver'] },
  { id: 'c', roles: ['maker', 'viewer'] },
] as const;

const asking = (name: string, when: object, approvals: number, ...of: readonly string[]) => ({
  name,
  when,
  require: { approvals, of },
});
const found = (...rules: readonly object[]) =>
  findImpossible(compile({ rules }).policy, PEOPLE).map(({ rule, needed, possible }) => [
    rule,
    needed,
    possible,
  ]);

it('finds rules that ask for more people than there are with the role', () => {
  assert.deepEqual(found(asking('both', {}, 2, 'owner', 'approver')), []);
  assert.deepEqual(found(asking('three', {}, 3, 'owner', 'approver')), [['three', 3, 2]]);
  assert.deepEqual(found(asking('two', {}, 2, 'approver')), [['two', 2, 1]]);
});

it('adds up rules that always match together, and not rules that only may', () => {
  const big = asking('big', { amountAtLeast: '5.00' }, 1, 'approver');
  const bigger = asking('bigger', { amountAtLeast: '9.00', operator: ['mtn'] }, 1, 'approver');
  const first = asking('first', { firstPayment: true }, 1, 'approver');
  assert.deepEqual(found(big, first), []);
  assert.deepEqual(found(big, bigger), [['bigger', 2, 1]]);
});

it('passes over rules whose payouts are refused anyway', () => {
  const refusal = { name: 'no', when: { amountAtLeast: '1.00' }, require: { refuse: true } };
  assert.deepEqual(found(asking('big', { amountAtLeast: '5.00' }, 2, 'approver'), refusal), []);
});

/** Values of each condition, from which all pairs are made. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  amountAtLeast: ['1.00', '2.00', '3.00'],
  amountBelow: ['2.00', '3.00', '4.00'],
  source: [['api'], ['file'], ['api', 'file']],
  operator: [['mtn'], ['mtn', 'airtel']],
  country: [['zm'], ['zm', 'ng']],
  wallet: [[ORDER.walletId], [ORDER.walletId, '019b7e1c-0000-7000-8000-00000000000a']],
  key: [[ORDER.keyId], [ORDER.keyId, '019b7e1c-0000-7000-8000-00000000000a']],
  firstPayment: [true, false],
  onAllowList: [true, false],
  nameMatch: [['match'], ['unknown'], ['match', 'unknown']],
  similarWithin: ['PT1H', 'PT2H'],
  sum: ['1.00', '2.50', '4.50'].map((above) => ({ by: 'wallet', day: true, above })),
  count: [0, 1, 2].map((above) => ({ by: 'wallet', window: 'PT1H', above })),
  metadata: [{ team: 'a' }, { team: ['a', 'b'] }, { team: 'a', kind: 'x' }],
};

/** Orders and answers that tell the values above apart. */
const CASES = [100n, 150n, 200n, 250n, 300n, 399n].flatMap((amountMinor) =>
  [0, 1, 2].flatMap((past) => [
    {
      order: { ...ORDER, amountMinor, operator: 'mtn', metadata: { team: 'a', kind: 'x' } },
      answers: { ...QUIET, count: () => past, sumMinor: () => BigInt(past) * 150n },
    },
    {
      order: {
        ...ORDER,
        amountMinor,
        source: 'file',
        country: 'ng',
        walletId: '019b7e1c-0000-7000-8000-00000000000a',
        keyId: '019b7e1c-0000-7000-8000-00000000000a',
        metadata: { team: past === 0 ? 'a' : 'b' },
      },
      answers: {
        ...QUIET,
        nameMatch: () => 'match',
        isFirstPayment: () => true,
        isOnAllowList: () => true,
        isSimilar: (withinMs: number) => withinMs > 3_600_000,
      },
    },
  ]),
) as readonly Readonly<{ order: Order; answers: Answers }>[];

for (const [name, values] of Object.entries(VALUES)) {
  it(`says that one ${name} implies another exactly where every transfer agrees`, () => {
    const all = [{}, ...values.map((value) => ({ [name]: value }))];
    for (const [one, other] of all.flatMap((first) => all.map((second) => [first, second]))) {
      const rules = [one, other].map((when, index) => ({
        name: `${index}`,
        when,
        require: { warn: true },
      }));
      const policy = compile({ rules });
      const [first, second] = policy.policy.rules;
      assert.ok(first !== undefined && second !== undefined);
      // What has no condition may match everything else, too: it counts as implying nothing but itself.
      const isWider = Object.keys(one ?? {}).length < Object.keys(other ?? {}).length;
      const isContradicted = CASES.some(({ order, answers }) => {
        const { matched } = evaluate(policy, order, answers);
        return matched.includes('0') && !matched.includes('1');
      });
      const pair = JSON.stringify([one, other]);
      assert.equal(implies(first.when, second.when), !isWider && !isContradicted, pair);
    }
  });
}
