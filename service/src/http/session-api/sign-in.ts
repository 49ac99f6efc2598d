import type { SessionFinder } from '../../people/session.ts';
import { type SignInDeps, signIn } from '../../people/sign-in.ts';
import { SessionObject, SignInBody } from '../schemas/session-schema.ts';
import type { PublicOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { answerWithSession, originOf } from './begin-session.ts';
import { readOptionalText, readText } from './read-text.ts';

export function signInOperation(
  deps: SignInDeps & Readonly<{ findSession: SessionFinder }>,
): PublicOperation {
  return {
    method: 'POST',
    path: '',
    operationId: 'signIn',
    tag: 'Session',
    summary: 'Sign in',
    description:
      'Begins a session and sets its cookie. A person with a second factor needs the `code`, too. ' +
      'Everything that is wrong gets one answer, `SIGN_IN_FAILED`, and so do attempts after too many failures.',
    schema: { body: SignInBody, data: { 200: SessionObject } },
    async handle(request) {
      const { body = new Map() } = request;
      const read = createFieldReader(body, Object.keys(SignInBody.properties));
      const fields = { read, body };
      const { email, password, code } = read.checked({
        email: readText(fields, 'email'),
        password: readText(fields, 'password'),
        code: readOptionalText(fields, 'code'),
      });
      const origin = originOf(request);
      const { token } = await signIn(deps, { email, password, code: code ?? undefined, ...origin });
      return answerWithSession(deps, request, token);
    },
  };
}
