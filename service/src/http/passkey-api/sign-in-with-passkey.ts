import { createSignInChallenge } from '../../people/passkeys/create-challenge.ts';
import { relyingPartyAt } from '../../people/passkeys/relying-party.ts';
import { signInWithPasskey } from '../../people/passkeys/sign-in-with-passkey.ts';
import { PasskeyAnswerBody, PasskeyOptions } from '../schemas/passkey-schema.ts';
import { SessionObject } from '../schemas/session-schema.ts';
import type { PublicOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { answerWithSession, originOf } from '../session-api/begin-session.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';
import { readAssertion, readChallengeId } from './read-credential.ts';

/** For each network, counted apart from other ways to sign in: a passkey cannot be guessed. */
const RATE_LIMIT = { burst: 120, perSecond: 2 };

export function createSignInChallengeOperation(deps: PasskeyApiDeps): PublicOperation {
  return {
    method: 'POST',
    path: '/passkey/options',
    operationId: 'askToSignInWithPasskey',
    tag: 'Session',
    rateLimit: RATE_LIMIT,
    summary: 'Begin to sign in with a passkey',
    description: 'A challenge for any passkey of this console: the device says whose it is.',
    schema: { data: { 200: PasskeyOptions } },
    async handle(request) {
      const data = await createSignInChallenge(deps, relyingPartyAt(deps.consoleOrigin(request)));
      return { status: 200, message: 'Sign the challenge', data };
    },
  };
}

export function signInWithPasskeyOperation(deps: PasskeyApiDeps): PublicOperation {
  return {
    method: 'POST',
    path: '/passkey',
    operationId: 'signInWithPasskey',
    tag: 'Session',
    rateLimit: RATE_LIMIT,
    summary: 'Sign in with a passkey',
    description:
      'A passkey is password and second factor in one. It does not count as a step-up: show it again for that. Sets the session cookie.',
    schema: { body: PasskeyAnswerBody, data: { 200: SessionObject } },
    async handle(request) {
      const { body = new Map() } = request;
      const read = createFieldReader(body, Object.keys(PasskeyAnswerBody.properties));
      const answered = read.checked({
        challengeId: readChallengeId({ read, body }),
        assertion: readAssertion({ read, body }),
      });
      const relyingParty = relyingPartyAt(deps.consoleOrigin(request));
      const start = originOf(request);
      const { token } = await signInWithPasskey(deps, { relyingParty, answered, start });
      return answerWithSession(deps, request, token);
    },
  };
}
