import { listKeys } from '../../merchants/list-keys.ts';
import { KeyList } from '../schemas/key-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import type { KeyApiDeps } from './create-key.ts';
import { renderKey } from './render-key.ts';

export function listKeysOperation({
  directory,
  now,
}: Pick<KeyApiDeps, 'directory' | 'now'>): PeopleOperation {
  return {
    method: 'GET',
    path: '/keys',
    operationId: 'listKeys',
    tag: 'Keys',
    permission: 'keys:read',
    readsPage: true,
    summary: 'List API keys',
    description: 'All keys of the book, newest first, also ended ones.',
    schema: { data: { 200: KeyList } },
    async handle({ caller: { book } }) {
      const { keys } = await listKeys(directory, book.merchantId, book.id);
      const at = now();
      const items = keys.map((key) => renderKey(key, at));
      return { status: 200, message: 'Keys listed', data: { items } };
    },
  };
}
