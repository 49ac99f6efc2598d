import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { compile, ORDER, QUIET } from '../../../test/test-policy.ts';
import { evaluate } from './evaluate.ts';
import { findImpossible } from './find-impossible.ts';
import { implies } from './implies.ts';

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

it('adds up rules that always match together, and not those that only may', () => {
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

const anyConditions = fc.record(
  {
    amountAtLeast: fc.constantFrom('1.00', '2.00'),
    amountBelow: fc.constantFrom('3.00', '4.00'),
    source: fc.uniqueArray(fc.constantFrom('api', 'file'), { minLength: 1 }),
    operator: fc.uniqueArray(fc.constantFrom('mtn', 'airtel'), { minLength: 1 }),
    firstPayment: fc.boolean(),
    nameMatch: fc.uniqueArray(fc.constantFrom('match', 'unknown'), { minLength: 1 }),
    similarWithin: fc.constantFrom('PT1H', 'PT2H'),
    count: fc.record({
      by: fc.constantFrom('wallet', 'key'),
      window: fc.constantFrom('PT1H', 'PT2H'),
      above: fc.integer({ min: 0, max: 2 }),
    }),
    metadata: fc.record({ team: fc.uniqueArray(fc.constantFrom('a', 'b'), { minLength: 1 }) }),
  },
  { requiredKeys: [] },
);

it('says that one rule implies another only where every transfer agrees', () => {
  const anyCase = fc.record({
    one: anyConditions,
    other: anyConditions,
    amountMinor: fc.constantFrom(99n, 100n, 150n, 200n, 299n, 300n, 399n, 400n),
    source: fc.constantFrom('api' as const, 'file' as const),
    operator: fc.constantFrom('mtn' as const, 'airtel' as const),
    team: fc.constantFrom('a', 'b', 'c'),
    isFirst: fc.boolean(),
    isMatch: fc.boolean(),
    lastMs: fc.constantFrom(1_800_000, 5_400_000, 9_000_000),
    count: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(anyCase, ({ one, other, team, isFirst, isMatch, lastMs, count, ...order }) => {
      const rules = [one, other].map((when, index) => ({
        name: `${index}`,
        when,
        require: { warn: true },
      }));
      const policy = compile({ rules });
      const [first, second] = policy.policy.rules;
      assert.ok(first !== undefined && second !== undefined);
      fc.pre(implies(first.when, second.when));
      const { matched } = evaluate(
        policy,
        { ...ORDER, ...order, metadata: { team } },
        {
          ...QUIET,
          isFirstPayment: () => isFirst,
          nameMatch: () => (isMatch ? 'match' : null),
          isSimilar: (withinMs) => lastMs <= withinMs,
          count: () => count,
        },
      );
      assert.ok(!matched.includes('0') || matched.includes('1'));
    }),
    { numRuns: 300 },
  );
});

it('knows that every rule implies itself and one without conditions', () => {
  fc.assert(
    fc.property(anyConditions, (when) => {
      const rules = [
        { name: 'one', when, require: { warn: true } },
        { name: 'any', when: {}, require: { warn: true } },
      ];
      const [one, any] = compile({ rules }).policy.rules;
      assert.ok(one !== undefined && any !== undefined);
      assert.ok(implies(one.when, one.when) && implies(one.when, any.when));
    }),
  );
});
