import type { PeopleDeps } from '../../people/people-deps.ts';
import type { SignInAttempts } from '../../people/sign-in-attempts.ts';
import { stepUp } from '../../people/step-up.ts';
import { CodeBody, SteppedUp } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { readText } from './read-text.ts';
import { stepUpEnd } from './render-session.ts';

export function stepUpOperation(
  deps: PeopleDeps & Readonly<{ attempts: SignInAttempts }>,
): OwnOperation {
  return {
    method: 'POST',
    path: '/step-up',
    operationId: 'stepUp',
    tag: 'Session',
    summary: 'Show the second factor again',
    description:
      'Counts for 5 minutes, for calls that answer `STEP_UP_REQUIRED` without it. A session of single sign-on that had none has a second factor from then on.',
    schema: { body: CodeBody, data: { 200: SteppedUp } },
    async handle({ caller: { session }, address, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(CodeBody.properties));
      const { code } = read.checked({ code: readText({ read, body }, 'code') });
      const at = await stepUp(deps, session, { code, address });
      return {
        status: 200,
        message: 'Second factor shown',
        data: { steppedUpAt: at.toISOString(), until: stepUpEnd(at) },
      };
    },
  };
}
