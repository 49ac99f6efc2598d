import { createStepUpChallenge } from '../../people/passkeys/create-challenge.ts';
import { relyingPartyAt } from '../../people/passkeys/relying-party.ts';
import { stepUpWithPasskey } from '../../people/passkeys/sign-in-with-passkey.ts';
import { PasskeyAnswerBody, PasskeyOptions } from '../schemas/passkey-schema.ts';
import { SteppedUp } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { stepUpEnd } from '../session-api/render-session.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';
import { readAssertion, readChallengeId } from './read-credential.ts';

export function createStepUpChallengeOperation(deps: PasskeyApiDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/step-up/passkey/options',
    operationId: 'askToStepUpWithPasskey',
    tag: 'Session',
    summary: 'Begin to show a passkey again',
    description: 'A challenge for one of your passkeys.',
    schema: { data: { 200: PasskeyOptions } },
    async handle(request) {
      const personId = request.caller.session.person.id;
      const relyingParty = relyingPartyAt(deps.consoleOrigin(request));
      const data = await createStepUpChallenge(deps, { personId, relyingParty });
      return { status: 200, message: 'Sign the challenge', data };
    },
  };
}

export function stepUpWithPasskeyOperation(deps: PasskeyApiDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/step-up/passkey',
    operationId: 'stepUpWithPasskey',
    tag: 'Session',
    summary: 'Show a passkey again',
    description: 'Counts for 5 minutes, as a code does.',
    schema: { body: PasskeyAnswerBody, data: { 200: SteppedUp } },
    async handle(request) {
      const { body = new Map(), caller } = request;
      const read = createFieldReader(body, Object.keys(PasskeyAnswerBody.properties));
      const answered = read.checked({
        challengeId: readChallengeId({ read, body }),
        assertion: readAssertion({ read, body }),
      });
      const relyingParty = relyingPartyAt(deps.consoleOrigin(request));
      const { session } = caller;
      const at = await stepUpWithPasskey(deps, { relyingParty, answered, session });
      return {
        status: 200,
        message: 'Second factor shown',
        data: { steppedUpAt: at.toISOString(), until: stepUpEnd(at) },
      };
    },
  };
}
