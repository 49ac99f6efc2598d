import { revokeKey } from '../../merchants/revoke-key.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { KeyObject } from '../schemas/key-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { KeyApiDeps } from './create-key.ts';
import { withKeyRefusals } from './refuse-key.ts';
import { renderKey } from './render-key.ts';

export function revokeKeyOperation(deps: KeyApiDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/keys/:id/revoke',
    operationId: 'revokeKey',
    tag: 'Keys',
    permission: 'keys:write',
    stepUp: 'live',
    summary: 'Revoke an API key',
    description:
      'Ends it for good. It is refused everywhere within a second. Revoking it again changes nothing.',
    schema: { params: idParameter('key'), data: { 200: KeyObject } },
    async handle({ caller: { book, actor }, params }) {
      const { key } = await withKeyRefusals(() =>
        revokeKey(deps, { actor, bookId: book.id, id: params.id ?? '' }),
      );
      return { status: 200, message: 'Key revoked', data: renderKey(key, deps.now()) };
    },
  };
}
