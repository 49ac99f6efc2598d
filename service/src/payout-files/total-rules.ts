import type { Controls } from '../controls/controls.ts';
import { compilePolicy } from '../domain/policy/compile-policy.ts';
import type { RuleConditions } from '../domain/policy/policy.ts';
import type { RowContent } from './file-content.ts';

/** Rows taken together. `first` stands for what they have in common. */
export type Total = Readonly<{ first: RowContent; count: number; sumMinor: bigint }>;

/**
 * The controls with the rules alone that a total can match: not those about one recipient, whom a total does not have.
 * Rules about operators see the total of each operator, all others that of the file.
 */
export function controlsOfTotal(controls: Controls, of: 'operator' | 'file'): Controls {
  const { policy } = controls;
  if (policy === null) return controls;
  const rules = policy.policy.rules.filter(
    ({ when }) => !isAboutRecipient(when) && isAboutOperator(when) === (of === 'operator'),
  );
  return {
    ...controls,
    policy: compilePolicy({ ...policy.policy, rules }),
    // Numbers were looked at row by row.
    listed: { denied: new Map(), allowed: new Map() },
  };
}

function isAboutRecipient(when: RuleConditions): boolean {
  return (
    when.firstPayment !== null ||
    when.nameMatch !== null ||
    when.similarWithinMs !== null ||
    when.onAllowList !== null ||
    when.sum?.by === 'recipient' ||
    when.count?.by === 'recipient'
  );
}

function isAboutOperator(when: RuleConditions): boolean {
  return when.operators !== null || when.sum?.by === 'operator' || when.count?.by === 'operator';
}
