import type { PersonActor } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { endOwnSession } from '../../people/end-sessions.ts';
import { listSessions } from '../../people/list-sessions.ts';
import type { PeopleDeps } from '../../people/people-deps.ts';
import type { PersonSession } from '../../people/session.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { Nothing, OwnSessions } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { endedSessionCookie } from '../server/session-cookie.ts';

export function listOwnSessionsOperation(
  deps: Pick<PeopleDeps, 'directory' | 'now'>,
): OwnOperation {
  return {
    method: 'GET',
    path: '/sessions',
    operationId: 'listOwnSessions',
    tag: 'Account',
    summary: 'List your open sessions',
    description: 'Where you are signed in. End what you do not recognise, and change the password.',
    schema: { data: { 200: OwnSessions } },
    async handle({ caller: { session } }) {
      const sessions = await listSessions(deps, session.person.id);
      const items = sessions.map((one) => ({
        ...one,
        current: one.id === session.id,
        createdAt: one.createdAt.toISOString(),
        lastUsedAt: one.lastUsedAt.toISOString(),
        expiresAt: one.expiresAt.toISOString(),
      }));
      return { status: 200, message: 'Sessions', data: { items } };
    },
  };
}

export function endOwnSessionOperation(
  deps: Pick<PeopleDeps, 'directory' | 'now' | 'newId'>,
): OwnOperation {
  return {
    method: 'DELETE',
    path: '/sessions/:id',
    operationId: 'endOwnSession',
    tag: 'Account',
    summary: 'End one of your sessions',
    description: 'It ends at once, in every process.',
    schema: { params: idParameter('session'), data: { 200: Nothing } },
    async handle(request) {
      const { session } = request.caller;
      const sessionId = parseUuid(request.params.id ?? '');
      if (sessionId === undefined) throw refuse('SESSION_NOT_FOUND');
      await endOwnSession(deps, { actor: actorOf(session), sessionId });
      return {
        status: 200,
        message: 'Session ended',
        data: {},
        ...(sessionId === session.id
          ? { headers: { 'set-cookie': endedSessionCookie(request) } }
          : {}),
      };
    },
  };
}

/** The person of a session as an actor. */
export function actorOf({ person }: Pick<PersonSession, 'person'>): PersonActor {
  return { kind: 'person', id: person.id, name: person.name };
}
