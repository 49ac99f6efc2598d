import type { Queryable } from '../../src/postgres/database.ts';
import type { TestMerchant } from '../test-merchant.ts';
import { storePerson } from '../test-person.ts';
import type { Answer, ApiClient } from './api-client.ts';

export type OwnerClient = Readonly<{
  id: string;
  name: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  post(path: string, body: Readonly<Record<string, unknown>>): Promise<Answer>;
}>;

/** Calls the API as an owner of the merchant, in its test book. `api` must be a client without a key. */
export async function openOwnerClient(
  { database, api }: Readonly<{ database: Queryable; api: ApiClient }>,
  merchant: TestMerchant,
): Promise<OwnerClient> {
  const owner = { merchantId: merchant.id, role: 'owner' } as const;
  const { id, name, headers } = await storePerson(database, { roles: [owner] });
  const inBook = { ...headers, 'x-book': merchant.books.test };
  return {
    id,
    name,
    get: (path, more) => api.get(path, { ...inBook, ...more }),
    post: (path, body) => api.post(path, body, inBook),
  };
}
