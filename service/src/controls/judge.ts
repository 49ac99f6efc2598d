import { type ApprovalRequirement, isGiven } from '../domain/approval-requirement.ts';
import { evaluate, NO_ANSWERS } from '../domain/policy/evaluate.ts';
import type { Answers, Order, PolicyResult } from '../domain/policy/order.ts';
import { APPROVAL_EXPIRES_AFTER_DEFAULT_MS } from '../domain/policy/policy.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import { findInForce, type Listed, type Numbers } from '../lists/read-numbers.ts';
import type { Controls } from './controls.ts';

/** What the controls of a book say about an order. */
export type Judgement = Readonly<{
  policyVersion: number | null;
  /** The names of the rules that matched. */
  rules: readonly string[];
  refusal: Refusal | null;
  /** What must be approved before it leaves; null: nothing, and no screener is asked. */
  approvalsNeeded: readonly ApprovalRequirement[] | null;
  screens: readonly Readonly<{ rule: string; screener: string }>[];
  warnings: readonly string[];
  /** How long it may wait for people. */
  expiresAfterMs: number;
}>;

/** Facts that an order is judged by besides its own fields. */
export type KnownFacts = Readonly<{
  answers: Answers;
  denied: Numbers;
  /** What rules asked for and people gave already, with its file. */
  preApproved: readonly ApprovalRequirement[];
}>;

/** The judgement of an order that alone decides; null: more must be known. */
export function judgeAlone(
  controls: Controls,
  order: Order,
  preApproved: readonly ApprovalRequirement[],
): Judgement | null {
  const { denied } = controls.listed;
  if (!controls.isSimple || denied === 'many') return null;
  return judge(controls, order, { answers: NO_ANSWERS, denied, preApproved });
}

export function judge(controls: Controls, order: Order, knowledge: KnownFacts): Judgement {
  const { policy, policyVersion } = controls;
  const listed = findInForce(knowledge.denied, order.phone, order.at);
  const result = policy === null ? null : evaluate(policy, order, knowledge.answers);
  const approvals = wantedApprovals(result, knowledge.preApproved);
  const screens = result?.screens ?? NONE;
  return {
    policyVersion,
    rules: result?.matched ?? NONE,
    refusal: refusalOf(result, listed),
    approvalsNeeded: approvals.length === 0 && screens.length === 0 ? null : approvals,
    screens,
    warnings: result?.warnings ?? NONE,
    expiresAfterMs: policy?.policy.approvalExpiresAfterMs ?? APPROVAL_EXPIRES_AFTER_DEFAULT_MS,
  };
}

const NONE: readonly never[] = [];

function wantedApprovals(
  result: PolicyResult | null,
  preApproved: readonly ApprovalRequirement[],
): readonly ApprovalRequirement[] {
  if (result === null || result.approvals.length === 0) return NONE;
  return result.approvals.filter((asked) => !isGiven(asked, preApproved));
}

function refusalOf(result: PolicyResult | null, listed: Listed | undefined): Refusal | null {
  if (listed !== undefined) return refuse('RECIPIENT_DENIED', { message: describeDenial(listed) });
  const rule = result?.refusedBy ?? null;
  if (rule === null) return null;
  return refuse('POLICY_REFUSED', {
    message: `The rule "${rule}" of the policy refuses it. Nothing was stored.`,
    rule,
  });
}

/** What the company wrote about a number stays with the company. */
function describeDenial({ isCompanys, reason }: Listed): string {
  return isCompanys
    ? "This number is on the company's deny list. Nothing was stored."
    : `This number is on the deny list: ${reason}. Nothing was stored.`;
}
