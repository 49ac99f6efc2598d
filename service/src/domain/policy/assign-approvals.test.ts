import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { MERCHANT_ROLES, type MerchantRole } from '../roles.ts';
import {
  type ApprovalRequirement,
  assignApprovals,
  canFillAll,
  type RoleHolder,
} from './assign-approvals.ts';

const person = (id: string, ...roles: readonly MerchantRole[]): RoleHolder => ({ id, roles });
const rule = (
  name: string,
  count: number,
  ...of: readonly MerchantRole[]
): ApprovalRequirement => ({
  rule: name,
  count,
  of,
});

describe('assignApprovals', () => {
  it('adds up what the rules ask for, and says what is still wanted', () => {
    const rules = [rule('big', 1, 'approver', 'owner'), rule('often', 2, 'approver')];
    const { needed, filled, open } = assignApprovals(rules, [person('a', 'approver')]);
    assert.equal(needed, 3);
    assert.equal(filled, 1);
    assert.equal(
      open.reduce((sum, { count }) => sum + count, 0),
      2,
    );
  });

  it('takes a role as the word itself: an owner is no approver', () => {
    assert.equal(canFillAll([rule('big', 1, 'approver')], [person('a', 'owner')]), false);
  });

  it('counts a person once who has several roles', () => {
    const rules = [rule('one', 1, 'approver'), rule('two', 1, 'owner')];
    assert.equal(canFillAll(rules, [person('a', 'approver', 'owner')]), false);
  });

  it('moves who came first where only one of two can take the other place', () => {
    const rules = [rule('any', 1, 'approver', 'owner'), rule('owner', 1, 'owner')];
    const people = [person('a', 'owner', 'approver'), person('b', 'approver')];
    const { filled, requirementOf } = assignApprovals(rules, people);
    assert.equal(filled, 2);
    assert.deepEqual(
      [...requirementOf].sort(([one], [other]) => one.localeCompare(other)),
      [
        ['a', 1],
        ['b', 0],
      ],
    );
  });

  it('fills as many places as any assignment could, in any order of people', () => {
    const roles = fc.uniqueArray(fc.constantFrom(...MERCHANT_ROLES.slice(0, 3)), {
      minLength: 1,
      maxLength: 3,
    });
    const requirement = fc
      .record({ count: fc.integer({ min: 1, max: 2 }), of: roles })
      .map(({ count, of }) => rule('r', count, ...of));
    const some = fc
      .array(roles, { maxLength: 5 })
      .map((all) => all.map((of, index) => person(String(index), ...of)));
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 3 }), some, (rules, people) => {
        const { filled } = assignApprovals(rules, people);
        assert.equal(filled, mostPlaces(rules, people));
        assert.equal(assignApprovals(rules, people.toReversed()).filled, filled);
      }),
      { numRuns: 300 },
    );
  });
});

/** By trying everything. */
function mostPlaces(rules: readonly ApprovalRequirement[], people: readonly RoleHolder[]): number {
  const [first, ...rest] = people;
  if (first === undefined) return 0;
  const seated = rules.flatMap((one, index) => {
    if (one.count === 0 || !first.roles.some((role) => one.of.includes(role))) return [];
    const left = rules.with(index, { ...one, count: one.count - 1 });
    return [1 + mostPlaces(left, rest)];
  });
  return Math.max(mostPlaces(rules, rest), ...seated);
}
