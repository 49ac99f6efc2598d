import { removePerson, type TeamDeps } from '../../people/change-roles.ts';
import { STAFF } from '../../people/team.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ChangedPerson } from '../schemas/person-schema.ts';
import type { MerchantOperation, StaffOperation } from '../server/api-operation.ts';
import { readPersonId } from './read-person-body.ts';

export function removeMerchantPersonOperation(deps: TeamDeps): MerchantOperation {
  return {
    ...REMOVE,
    operationId: 'removePerson',
    permission: 'people:write',
    summary: 'Remove a person from a merchant',
    description:
      'Open sessions of the person see nothing of the merchant any more, at once. A person with no other role has no password and no second factors any more, and sets them up anew when invited again. The last owner stays: 409 `LAST_OWNER`.',
    async handle({ caller: { actor, merchantId }, params }) {
      const id = readPersonId(params);
      await removePerson(deps, { actor, team: { merchantId }, personId: id });
      return { ...DONE, data: { id } };
    },
  };
}

export function removeStaffOperation(deps: TeamDeps): StaffOperation {
  return {
    ...REMOVE,
    operationId: 'removeStaff',
    permission: 'staff:write',
    summary: 'Remove a person from the staff',
    description:
      "Takes every role of the staff, at once. A key for the command line ends, and the person's proposals are withdrawn. A person with no other role has no password and no second factors any more, and sets them up anew when invited again. The last admin stays: 409 `LAST_ADMIN`.",
    async handle({ caller: { actor }, params }) {
      const id = readPersonId(params);
      await removePerson(deps, { actor, team: STAFF, personId: id });
      return { ...DONE, data: { id } };
    },
  };
}

const REMOVE = {
  method: 'DELETE',
  path: '/people/:id',
  tag: 'People',
  stepUp: true,
  schema: { params: idParameter('person'), data: { 200: ChangedPerson } },
} as const;
const DONE = { status: 200, message: 'Person removed' } as const;
