import { changePassword } from '../../people/change-password.ts';
import type { SignInDeps } from '../../people/sign-in.ts';
import { Nothing, PasswordBody } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { sessionCookie } from '../server/session-cookie.ts';
import { actorOf } from './own-sessions.ts';
import { readText } from './read-text.ts';

export function changePasswordOperation(deps: SignInDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/password',
    operationId: 'changePassword',
    tag: 'Account',
    stepUp: true,
    summary: 'Change your password',
    description:
      'Ends all your other sessions, and gives this one a new cookie: a copy of the old one opens nothing.',
    schema: { body: PasswordBody, data: { 200: Nothing } },
    async handle(request) {
      const { caller, address, body = new Map() } = request;
      const { session } = caller;
      const read = createFieldReader(body, Object.keys(PasswordBody.properties));
      const fields = { read, body };
      const { current, password } = read.checked({
        current: readText(fields, 'current'),
        password: readText(fields, 'password'),
      });
      const change = { actor: actorOf(session), session, current, password, address };
      const token = await changePassword(deps, change);
      const headers = { 'set-cookie': sessionCookie(token, request) };
      return { status: 200, message: 'Password changed', data: {}, headers };
    },
  };
}
