import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readAdminKey } from './admin-key.ts';

/** Whose key this is. It opens nothing while its owner is no admin. The transaction in which the person acts looks once more: see acts/act-as.ts. */
export async function authenticateAdministrator(
  directory: Queryable,
  key: string | undefined,
): Promise<PersonActor> {
  const given = key?.trim() ?? '';
  const hash = readAdminKey(given);
  const [found] =
    hash === undefined ? [] : await directory.query<{ id: string; name: string }>(FIND, [hash]);
  if (found !== undefined) return { kind: 'person', id: found.id, name: found.name };
  const [anyone] = await directory.query(ANYONE);
  const code = given === '' ? 'ADMIN_KEY_MISSING' : 'ADMIN_KEY_UNKNOWN';
  throw new AdminRefused(code, { isFirst: anyone === undefined });
}

const FIND: Statement = {
  name: '',
  text: `
    select a.id, a.name
    from administrators a
    join staff_roles r on r.person_id = a.id and r.role = 'admin'
    where a.key_hash = $1 and a.removed_at is null`,
};

const ANYONE: Statement = {
  name: '',
  text: `
    select a.id
    from administrators a
    join staff_roles r on r.person_id = a.id and r.role = 'admin'
    where a.removed_at is null
    limit 1`,
};
