import type { TestPerson } from '../test-person.ts';
import type { Fields } from './api-client.ts';

type PersonCall = Readonly<{ method?: string; bookId?: string; body?: Fields }>;

export type PersonAnswer = Readonly<{ status: number; code: string | undefined; data: Fields }>;

/** Calls the API as a person's browser does: with the cookie, and the book where one is meant. */
export async function callAs(
  baseUrl: string,
  { headers }: Pick<TestPerson, 'headers'>,
  path: string,
  { method = 'GET', bookId, body }: PersonCall = {},
): Promise<PersonAnswer> {
  const response = await fetch(`${baseUrl}/api/v1/${path}`, {
    method,
    headers: {
      ...headers,
      ...(bookId === undefined ? {} : { 'x-book': bookId }),
      ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  const { data } = (await response.json()) as { data: Fields & { error?: { code: string } } };
  return { status: response.status, code: data.error?.code, data };
}
