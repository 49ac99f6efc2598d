import type { ApprovalRequirement } from '../approval-requirement.ts';
import type { MerchantRole } from '../roles.ts';

export type { ApprovalRequirement } from '../approval-requirement.ts';

export type RoleHolder = Readonly<{ id: string; roles: readonly MerchantRole[] }>;

export type Assignment = Readonly<{
  /** Places of all requirements together. */
  needed: number;
  /** How many of them these people fill, each person one place. */
  filled: number;
  /** What is still wanted; `count` is the number of places that are open. */
  open: readonly ApprovalRequirement[];
  /** The index of the requirement in which a person has a place; a person without a place is not in it. */
  requirementOf: ReadonlyMap<string, number>;
}>;

/**
 * Gives people places in requirements, as many as possible. One person has one place, and a role is the word itself: an
 * owner is no approver. A person who came first may move to another place, so that who comes later gets one: otherwise
 * the order of approvals would decide whether there are enough.
 */
export function assignApprovals(
  requirements: readonly ApprovalRequirement[],
  people: readonly RoleHolder[],
): Assignment {
  const holders = requirements.map((): RoleHolder[] => []);
  for (const person of people) seat(requirements, holders, person, new Set());
  const needed = requirements.reduce((sum, { count }) => sum + count, 0);
  const filled = holders.reduce((sum, ofOne) => sum + ofOne.length, 0);
  const open = requirements.flatMap((requirement, index) => {
    const count = requirement.count - (holders[index]?.length ?? 0);
    return count > 0 ? [{ ...requirement, count }] : [];
  });
  const requirementOf = new Map(
    holders.flatMap((ofOne, index) => ofOne.map(({ id }) => [id, index] as const)),
  );
  return { needed, filled, open, requirementOf };
}

/** Whether these people together can give every approval. */
export function canFillAll(
  requirements: readonly ApprovalRequirement[],
  people: readonly RoleHolder[],
): boolean {
  return assignApprovals(requirements, people).open.length === 0;
}

/** Gives the person a place, where others may change theirs for it. `tried`: requirements that were looked at already. */
function seat(
  requirements: readonly ApprovalRequirement[],
  holders: readonly RoleHolder[][],
  person: RoleHolder,
  tried: Set<number>,
): boolean {
  for (const [index, { count, of }] of requirements.entries()) {
    const seated = holders[index];
    if (seated === undefined || tried.has(index)) continue;
    if (!person.roles.some((role) => of.includes(role))) continue;
    tried.add(index);
    if (seated.length < count) {
      seated.push(person);
      return true;
    }
    const moved = seated.findIndex((other) => seat(requirements, holders, other, tried));
    if (moved === -1) continue;
    seated.splice(moved, 1, person);
    return true;
  }
  return false;
}
