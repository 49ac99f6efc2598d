import { endSession } from '../../people/end-sessions.ts';
import type { PeopleDeps } from '../../people/people-deps.ts';
import { Nothing } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { endedSessionCookie } from '../server/session-cookie.ts';

export function signOutOperation(deps: Pick<PeopleDeps, 'directory' | 'now'>): OwnOperation {
  return {
    method: 'DELETE',
    path: '',
    operationId: 'signOut',
    tag: 'Session',
    summary: 'Sign out',
    description:
      'Ends the session at once, in every process: a copy of the cookie is worth nothing.',
    schema: { data: { 200: Nothing } },
    async handle(request) {
      await endSession(deps, request.caller.session.id);
      return {
        status: 200,
        message: 'Signed out',
        data: {},
        headers: { 'set-cookie': endedSessionCookie(request) },
      };
    },
  };
}
