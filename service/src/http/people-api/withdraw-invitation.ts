import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { TeamDeps } from '../../people/change-roles.ts';
import { STAFF } from '../../people/team.ts';
import { withdrawInvitation } from '../../people/withdraw-invitation.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { EndedInvitation } from '../schemas/person-schema.ts';
import type { MerchantOperation, StaffOperation } from '../server/api-operation.ts';

export function withdrawMerchantInvitationOperation(deps: TeamDeps): MerchantOperation {
  return {
    ...WITHDRAW,
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation to a merchant',
    permission: 'people:write',
    async handle({ caller: { actor, merchantId }, params }) {
      const id = readId(params);
      await withdrawInvitation(deps, { actor, team: { merchantId }, id });
      return { ...DONE, data: { id } };
    },
  };
}

export function withdrawStaffInvitationOperation(deps: TeamDeps): StaffOperation {
  return {
    ...WITHDRAW,
    operationId: 'withdrawStaffInvitation',
    summary: 'Withdraw an invitation to the staff',
    permission: 'staff:write',
    async handle({ caller: { actor }, params }) {
      const id = readId(params);
      await withdrawInvitation(deps, { actor, team: STAFF, id });
      return { ...DONE, data: { id } };
    },
  };
}

const WITHDRAW = {
  method: 'DELETE',
  path: '/invitations/:id',
  tag: 'People',
  stepUp: true,
  description: 'Its link no longer works.',
  schema: { params: idParameter('invitation'), data: { 200: EndedInvitation } },
} as const;
const DONE = { status: 200, message: 'Invitation withdrawn' } as const;

function readId({ id = '' }: Readonly<Record<string, string>>): string {
  const invitationId = parseUuid(id);
  if (invitationId === undefined) throw refuse('INVITATION_NOT_FOUND');
  return invitationId;
}
