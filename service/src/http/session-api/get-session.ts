import { SessionObject } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { renderSession } from './render-session.ts';

export function getSessionOperation({ now }: Readonly<{ now: () => Date }>): OwnOperation {
  return {
    method: 'GET',
    path: '',
    operationId: 'getSession',
    tag: 'Session',
    summary: 'Show who is signed in',
    description: 'The person, their roles and books, as they are now.',
    schema: { data: { 200: SessionObject } },
    handle: async ({ caller: { session } }) => ({
      status: 200,
      message: 'Session',
      data: renderSession(session, now()),
    }),
  };
}
