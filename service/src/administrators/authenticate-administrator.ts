import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readAdminKey } from './admin-key.ts';

export type Administrator = Readonly<{ id: string; name: string }>;

/**
 * Whose key this is. Inside a transaction the person stays an administrator until it ends, so that
 * nobody acts who was removed a moment ago.
 */
export async function authenticateAdministrator(
  tx: Queryable,
  key: string | undefined,
): Promise<Administrator> {
  const given = key?.trim() ?? '';
  const hash = readAdminKey(given);
  const [found] =
    hash === undefined ? [] : await tx.query<{ id: string; name: string }>(FIND, [hash]);
  if (found !== undefined) return { id: found.id, name: found.name };
  const message =
    given === ''
      ? 'This needs an administrator, and ADMIN_KEY is not set.'
      : 'The key in ADMIN_KEY opens nothing: it is mistyped, or its owner was removed.';
  throw new AdminRefused(message, await adviceFor(tx));
}

async function adviceFor(tx: Queryable): Promise<string> {
  const [anybody] = await tx.query(ANYBODY);
  return anybody === undefined
    ? 'There are no administrators yet: "administrators add NAME" makes the first and shows the key.'
    : 'Put your own key into the environment variable ADMIN_KEY. Any administrator can give you one with "administrators add NAME".';
}

const FIND: Statement = {
  name: '',
  text: `
    select id, name from administrators
    where key_hash = $1 and removed_at is null
    for share`,
};

const ANYBODY: Statement = {
  name: '',
  text: 'select id from administrators where removed_at is null limit 1',
};
