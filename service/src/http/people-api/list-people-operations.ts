import type { AcceptDeps } from '../../people/accept-invitation.ts';
import type { TeamDeps } from '../../people/change-roles.ts';
import type { InviteDeps } from '../../people/invite-person.ts';
import type { SessionFinder } from '../../people/session.ts';
import type {
  MerchantOperation,
  PublicOperation,
  StaffOperation,
} from '../server/api-operation.ts';
import { acceptInvitationOperation } from './accept-invitation.ts';
import { changeMerchantRolesOperation, changeStaffRolesOperation } from './change-roles.ts';
import { endSessionsOperation } from './end-sessions.ts';
import { getInvitationOperation, invitationTotpOperation } from './get-invitation.ts';
import { inviteToMerchantOperation, inviteToStaffOperation } from './invite-person.ts';
import { listMerchantPeopleOperation, listStaffOperation } from './list-people.ts';
import { removeMerchantPersonOperation, removeStaffOperation } from './remove-person.ts';
import {
  withdrawMerchantInvitationOperation,
  withdrawStaffInvitationOperation,
} from './withdraw-invitation.ts';

export type PeopleApiDeps = TeamDeps &
  InviteDeps &
  AcceptDeps &
  Readonly<{ findSession: SessionFinder }>;

/** For a person who has the link of an invitation. */
export function listInvitationOperations(deps: PeopleApiDeps): readonly PublicOperation[] {
  return [
    getInvitationOperation(deps),
    invitationTotpOperation(deps),
    acceptInvitationOperation(deps),
  ];
}

export function listTeamOperations(deps: PeopleApiDeps): readonly MerchantOperation[] {
  return [
    listMerchantPeopleOperation(deps),
    inviteToMerchantOperation(deps),
    withdrawMerchantInvitationOperation(deps),
    changeMerchantRolesOperation(deps),
    removeMerchantPersonOperation(deps),
  ];
}

export function listStaffPeopleOperations(deps: PeopleApiDeps): readonly StaffOperation[] {
  return [
    listStaffOperation(deps),
    inviteToStaffOperation(deps),
    withdrawStaffInvitationOperation(deps),
    changeStaffRolesOperation(deps),
    removeStaffOperation(deps),
    endSessionsOperation(deps),
  ];
}
