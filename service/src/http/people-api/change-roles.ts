import { changeRoles, type TeamDeps } from '../../people/change-roles.ts';
import { STAFF } from '../../people/team.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ChangedPerson, PersonRolesBody } from '../schemas/person-schema.ts';
import type { MerchantOperation, StaffOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { readPersonId, readRoles } from './read-person-body.ts';

export function changeMerchantRolesOperation(deps: TeamDeps): MerchantOperation {
  return {
    ...CHANGE,
    operationId: 'changeRoles',
    summary: 'Change the roles of a person',
    permission: 'people:write',
    description:
      'In place of the roles that the person has. In force at once. The last owner stays: 409 `LAST_OWNER`.',
    async handle({ caller: { actor, merchantId }, params, body }) {
      const id = readPersonId(params);
      const team = { merchantId };
      await changeRoles(deps, { actor, team, personId: id, ...readBody(body) });
      return { ...DONE, data: { id } };
    },
  };
}

export function changeStaffRolesOperation(deps: TeamDeps): StaffOperation {
  return {
    ...CHANGE,
    operationId: 'changeStaffRoles',
    summary: 'Change the roles of a person of the staff',
    permission: 'staff:write',
    description:
      'In place of the roles that the person has. In force at once. The last admin stays: 409 `LAST_ADMIN`.',
    async handle({ caller: { actor }, params, body }) {
      const id = readPersonId(params);
      await changeRoles(deps, { actor, team: STAFF, personId: id, ...readBody(body) });
      return { ...DONE, data: { id } };
    },
  };
}

const CHANGE = {
  method: 'PUT',
  path: '/people/:id/roles',
  tag: 'People',
  stepUp: true,
  schema: {
    params: idParameter('person'),
    body: PersonRolesBody,
    data: { 200: ChangedPerson },
  },
} as const;
const DONE = { status: 200, message: 'Roles changed' } as const;

function readBody(body: JsonObject = new Map()) {
  const read = createFieldReader(body, Object.keys(PersonRolesBody.properties));
  const hasBefore = (body.get('before') ?? null) !== null;
  return read.checked({
    roles: readRoles({ read, body }),
    before: hasBefore ? readRoles({ read, body }, 'before') : null,
  });
}
