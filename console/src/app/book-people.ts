import { useQuery } from '@tanstack/react-query';
import {
  type ApprovalRequirement,
  assignApprovals,
} from '../../../service/src/domain/policy/assign-approvals.ts';
import { call } from '../api/call.ts';
import type { CanApprove } from '../api/control-types.ts';
import type { Team, TeamPerson } from '../api/team-types.ts';
import type { MerchantRole } from '../api/types.ts';
import { useBook, useBookKey } from './session.ts';

/**
 * The people of the merchant with the roles that they have in the open book. Undefined while they are loaded; none if
 * they could not be.
 */
export function useBookPeople(): readonly CanApprove[] | undefined {
  const { id, merchant } = useBook();
  const key = useBookKey();
  const { data, isError } = useQuery({
    queryKey: key('people'),
    queryFn: ({ signal }) => call<Team>({ path: `/merchants/${merchant.id}/people`, signal }),
    // Payouts do not change it.
    meta: { isList: true },
  });
  if (data === undefined) return isError ? [] : undefined;
  return data.items.map((person) => ({
    id: person.id,
    name: person.name,
    roles: rolesIn(person, id),
  }));
}

function rolesIn({ roles }: TeamPerson, bookId: string): readonly MerchantRole[] {
  return roles
    .filter((given) => given.bookId === null || given.bookId === bookId)
    .map(({ role }) => role);
}

/** The people whose approval would count towards one of the missing ones. */
export function listWanted(
  requirements: readonly ApprovalRequirement[],
  approved: readonly CanApprove[],
  others: readonly CanApprove[],
): readonly CanApprove[] {
  const { filled } = assignApprovals(requirements, approved);
  return others.filter(
    (person) => assignApprovals(requirements, [...approved, person]).filled > filled,
  );
}
