import { changePassword } from '../../people/change-password.ts';
import type { SignInDeps } from '../../people/sign-in.ts';
import { Nothing, PasswordBody } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
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
    description: 'Ends all your other sessions.',
    schema: { body: PasswordBody, data: { 200: Nothing } },
    async handle({ caller: { session }, address, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(PasswordBody.properties));
      const fields = { read, body };
      const { current, password } = read.checked({
        current: readText(fields, 'current'),
        password: readText(fields, 'password'),
      });
      await changePassword(deps, { actor: actorOf(session), session, current, password, address });
      return { status: 200, message: 'Password changed', data: {} };
    },
  };
}
