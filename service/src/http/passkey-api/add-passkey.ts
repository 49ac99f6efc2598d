import { addPasskey, refuseUnlessSteppedUp } from '../../people/passkeys/add-passkey.ts';
import { createPasskeyChallenge } from '../../people/passkeys/create-challenge.ts';
import { relyingPartyAt } from '../../people/passkeys/relying-party.ts';
import { NewPasskeyBody, PasskeyObject, PasskeyOptions } from '../schemas/passkey-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { isSteppedUp } from '../server/session-guard.ts';
import { actorOf } from '../session-api/own-sessions.ts';
import { renderPasskey } from '../session-api/render-passkey.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';
import { readChallengeId, readNewCredential, readPasskeyName } from './read-credential.ts';

export function createPasskeyChallengeOperation(deps: PasskeyApiDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/factors/passkeys/options',
    operationId: 'askForNewPasskey',
    tag: 'Account',
    summary: 'Begin to add a passkey',
    description:
      'A challenge for a device to make a passkey with. Needs step-up, unless you have no second factor yet.',
    schema: { data: { 200: PasskeyOptions } },
    async handle(request) {
      const { session } = request.caller;
      const { person } = session;
      await refuseUnlessSteppedUp(deps.directory, person.id, isSteppedUp(session, deps.now()));
      const relyingParty = relyingPartyAt(deps.consoleOrigin(request));
      const data = await createPasskeyChallenge(deps, { person, relyingParty });
      return { status: 200, message: 'Make the passkey', data };
    },
  };
}

export function addPasskeyOperation(deps: PasskeyApiDeps): OwnOperation {
  return {
    method: 'POST',
    path: '/factors/passkeys',
    operationId: 'addPasskey',
    tag: 'Account',
    summary: 'Add a passkey',
    description:
      'A person has at most 10. Needs step-up, unless you have no second factor yet. The session then counts as stepped up.',
    schema: { body: NewPasskeyBody, data: { 201: PasskeyObject } },
    async handle(request) {
      const { body = new Map(), caller } = request;
      const read = createFieldReader(body, Object.keys(NewPasskeyBody.properties));
      const made = read.checked({
        challengeId: readChallengeId({ read, body }),
        credential: readNewCredential({ read, body }),
        name: readPasskeyName({ read, body }),
      });
      const { session } = caller;
      const passkey = await addPasskey(deps, {
        ...made,
        actor: actorOf(session),
        sessionId: session.id,
        isSteppedUp: isSteppedUp(session, deps.now()),
        relyingParty: relyingPartyAt(deps.consoleOrigin(request)),
      });
      return { status: 201, message: 'Passkey added', data: renderPasskey(passkey) };
    },
  };
}
