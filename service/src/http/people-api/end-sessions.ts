import type { TeamDeps } from '../../people/change-roles.ts';
import { endPersonSessions } from '../../people/end-person-sessions.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { EndedSessions } from '../schemas/person-schema.ts';
import type { StaffOperation } from '../server/api-operation.ts';
import { readPersonId } from './read-person-body.ts';

export function endSessionsOperation(deps: TeamDeps): StaffOperation {
  return {
    method: 'DELETE',
    path: '/people/:id/sessions',
    operationId: 'endSessions',
    tag: 'People',
    permission: 'staff:write',
    stepUp: true,
    summary: 'End all sessions of a person',
    description: 'Of a person of the staff or of any merchant. The person can sign in again.',
    schema: { params: idParameter('person'), data: { 200: EndedSessions } },
    async handle({ caller: { actor }, params }) {
      const id = readPersonId(params);
      const ended = await endPersonSessions(deps, { actor, personId: id });
      return { status: 200, message: 'Sessions ended', data: { id, ended } };
    },
  };
}
