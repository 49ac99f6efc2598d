import type { MerchantRole } from './roles.ts';

/** What one rule asks for: so many people, each with one of the roles. */
export type ApprovalRequirement = Readonly<{
  rule: string;
  count: number;
  of: readonly MerchantRole[];
}>;

/**
 * Whether what a rule asks for was given already, by approvals of a rule of the same name. A later policy may ask for more
 * under the name: for more people, or for people with other roles.
 */
export function isGiven(
  asked: ApprovalRequirement,
  given: readonly ApprovalRequirement[],
): boolean {
  return given.some(
    ({ rule, count, of }) =>
      rule === asked.rule && count >= asked.count && of.every((role) => asked.of.includes(role)),
  );
}
