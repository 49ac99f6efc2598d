import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { removePasskey } from '../../people/passkeys/remove-passkey.ts';
import { mustHaveSecondFactor } from '../../people/session.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { RemovedPasskey } from '../schemas/passkey-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { actorOf } from '../session-api/own-sessions.ts';
import type { PasskeyApiDeps } from './passkey-api-deps.ts';

export function removePasskeyOperation(deps: PasskeyApiDeps): OwnOperation {
  return {
    method: 'DELETE',
    path: '/factors/passkeys/:id',
    operationId: 'removePasskey',
    tag: 'Account',
    stepUp: true,
    summary: 'Remove a passkey',
    description: 'The last second factor of a person whose roles need one stays.',
    schema: { params: idParameter('passkey'), data: { 200: RemovedPasskey } },
    async handle({ caller: { session }, params }) {
      const id = parseUuid(params['id'] ?? '');
      if (id === undefined) throw refuse('NOT_FOUND');
      const mustKeepOne = mustHaveSecondFactor(session);
      await removePasskey(deps, {
        actor: actorOf(session),
        sessionId: session.id,
        id,
        mustKeepOne,
      });
      return { status: 200, message: 'Passkey removed', data: { id } };
    },
  };
}
