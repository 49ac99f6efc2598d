import type { ApprovalRequirement } from './assign-approvals.ts';
import type { CompiledPolicy, CompiledRule } from './compile-policy.ts';
import { factsOf, holdsAlone, holdsByAnswers } from './match-rule.ts';
import type { Answers, Order, PolicyResult } from './order.ts';

/** The result for an order that no rule matches. One shared object, so that it costs no allocation. */
export const NOTHING_MATCHED: PolicyResult = {
  refusedBy: null,
  matched: [],
  approvals: [],
  warnings: [],
  screens: [],
};

/** For orders without needs. */
export const NO_ANSWERS: Answers = {
  sumMinor: unanswered,
  count: unanswered,
  isFirstPayment: unanswered,
  isSimilar: unanswered,
  nameMatch: unanswered,
  isOnAllowList: unanswered,
};

function unanswered(): never {
  throw new Error('the order has needs: read the answers to needsOf first');
}

/** Decides about an order. Requirements of all matching rules add up, and the order of rules means nothing. */
export function evaluate(policy: CompiledPolicy, order: Order, answers: Answers): PolicyResult {
  const facts = factsOf(order);
  let matched: CompiledRule[] | undefined;
  for (const rule of policy.rules) {
    if (!holdsAlone(rule, facts)) continue;
    if (!rule.isSimple && !holdsByAnswers(rule, order, answers)) continue;
    if (matched === undefined) matched = [rule];
    else matched.push(rule);
  }
  return matched === undefined ? NOTHING_MATCHED : addUp(matched);
}

function addUp(matched: readonly CompiledRule[]): PolicyResult {
  return {
    refusedBy: matched.find(({ require }) => require.refuse)?.name ?? null,
    matched: matched.map(({ name }) => name),
    approvals: matched.flatMap(approvalsOf),
    warnings: matched.filter(({ require }) => require.warn).map(({ name }) => name),
    screens: matched.flatMap(({ name, require: { screener } }) =>
      screener === null ? [] : [{ rule: name, screener }],
    ),
  };
}

function approvalsOf({ name, require }: CompiledRule): readonly ApprovalRequirement[] {
  const { approvals } = require;
  return approvals === null ? [] : [{ rule: name, ...approvals }];
}
