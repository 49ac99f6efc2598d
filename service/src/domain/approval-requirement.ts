import type { MerchantRole } from './roles.ts';

/** What one rule asks for: so many people, each with one of the roles. */
export type ApprovalRequirement = Readonly<{
  rule: string;
  count: number;
  of: readonly MerchantRole[];
}>;
