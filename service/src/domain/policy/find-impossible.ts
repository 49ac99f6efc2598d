import { assignApprovals, type RoleHolder } from './assign-approvals.ts';
import { implies } from './implies.ts';
import type { Policy, Rule } from './policy.ts';

/** A rule whose approvals these people could never give, together with the rules that match whenever it does. */
export type ImpossibleRule = Readonly<{
  rule: string;
  /** Its place in the document. */
  index: number;
  /** All rules that ask for approvals then, itself included. */
  rules: readonly string[];
  needed: number;
  /** How many of them people could give at most. */
  possible: number;
}>;

/**
 * Finds the rules under which no payout could ever be approved. Rules that only happen to match together are not
 * looked at: such a payout is refused when it is ordered.
 */
export function findImpossible(
  { rules }: Policy,
  people: readonly RoleHolder[],
): readonly ImpossibleRule[] {
  return rules.flatMap((rule, index) => {
    if (rule.require.approvals === null) return [];
    const together = rules.filter((other) => implies(rule.when, other.when));
    if (together.some(({ require }) => require.refuse)) return [];
    const asking = together.flatMap(requirementOf);
    const { needed, filled } = assignApprovals(asking, people);
    if (filled === needed) return [];
    const names = asking.map((one) => one.rule);
    return [{ rule: rule.name, index, rules: names, needed, possible: filled }];
  });
}

function requirementOf({ name, require: { approvals } }: Rule) {
  return approvals === null ? [] : [{ rule: name, ...approvals }];
}
