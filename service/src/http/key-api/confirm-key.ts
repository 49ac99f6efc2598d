import { confirmKey } from '../../merchants/confirm-key.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { KeyObject } from '../schemas/key-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { KeyApiDeps } from './create-key.ts';
import { withKeyRefusals } from './refuse-key.ts';
import { renderKey } from './render-key.ts';

export function confirmKeyOperation(deps: KeyApiDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/keys/:id/confirm',
    operationId: 'confirmKey',
    tag: 'Keys',
    permission: 'keys:confirm',
    stepUp: true,
    summary: 'Confirm an API key',
    description: 'Lets a key work that another person made. It works within a second.',
    schema: { params: idParameter('key'), data: { 200: KeyObject } },
    async handle({ caller: { book, actor }, params }) {
      const key = await withKeyRefusals(() =>
        confirmKey(deps, { actor, bookId: book.id, id: params.id ?? '' }),
      );
      return { status: 200, message: 'Key confirmed', data: renderKey(key, deps.now()) };
    },
  };
}
