import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';
import { factsOf, holdsAlone } from './match-rule.ts';
import type { Answers, LimitLeft, Order } from './order.ts';
import { windowNeed } from './window-need.ts';

/**
 * What is left before each rule with a sum or a count would match an order like this one. Rules that concern other
 * orders are left out.
 */
export function limitsLeft(
  { rules }: CompiledPolicy,
  order: Order,
  answers: Answers,
): readonly LimitLeft[] {
  const facts = factsOf(order);
  return rules.flatMap((rule) =>
    !rule.isSimple && holdsAlone(rule, facts) ? limitsOf(rule, order, answers) : [],
  );
}

function limitsOf(
  { name, when: { sum, count }, require }: CompiledRule,
  order: Order,
  answers: Answers,
): readonly LimitLeft[] {
  const limits: LimitLeft[] = [];
  const summed = sum === null ? null : windowNeed(order, sum.by, sum.window);
  if (sum !== null && summed !== null) {
    const minor = notNegative(sum.aboveMinor - answers.sumMinor(summed));
    limits.push({ rule: name, refuses: require.refuse, left: { kind: 'sum', minor } });
  }
  const counted = count === null ? null : windowNeed(order, count.by, count.window);
  if (count !== null && counted !== null) {
    const left = Math.max(0, count.above - answers.count(counted));
    limits.push({ rule: name, refuses: require.refuse, left: { kind: 'count', count: left } });
  }
  return limits;
}

function notNegative(minor: bigint): bigint {
  return minor < 0n ? 0n : minor;
}
