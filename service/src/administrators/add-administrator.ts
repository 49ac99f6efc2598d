import type { ActDeps } from '../acts/act.ts';
import { refuseRemoved } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import { lockTeam, STAFF } from '../people/team.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { createAdminKey } from './admin-key.ts';
import { listPresent } from './end-key.ts';

const NAME_LENGTH_MAX = 80;

export type AddDeps = ActDeps &
  Readonly<{ directory: Database; randomBytes: (size: number) => Uint8Array }>;

/** `key` is the key itself: this is the only time it can be seen. */
export type AddedAdministrator = Readonly<{
  id: string;
  name: string;
  key: string;
  /** Was an administrator before, and comes back as the same person. */
  returned: boolean;
}>;

/**
 * Gives a person a key of their own. The first one needs no key; every later one needs an administrator. A person
 * who was removed comes back as the same person with a new key.
 */
export async function addAdministrator(
  deps: AddDeps,
  request: Readonly<{ actor: Actor; name: string }>,
): Promise<AddedAdministrator> {
  const { actor } = request;
  const name = readAdministratorName(request.name);
  return deps.directory.transaction(async (tx) => {
    await lockAdministrators(tx);
    await refuseRemoved(tx, actor);
    const present = await listPresent(tx);
    if (present.length > 0 && actor.kind !== 'person') {
      throw new AdminRefused('ADMINISTRATOR_NEEDED', {});
    }
    const added = await giveKey(tx, deps, name);
    await recordAct(tx, deps, {
      actor,
      kind: 'ADMINISTRATOR_ADDED',
      subject: added.name,
      merchantId: null,
      reason: null,
      before: added.returned ? { removed: true } : null,
      after: { removed: false },
    });
    return added;
  });
}

/**
 * Two who would both be the first, or who remove each other, take turns. Before any row is locked: a row's lock that
 * waits for this one, and this one for the row, would be a deadlock. The team first: a change of roles, which holds it, ends
 * keys.
 */
export async function lockAdministrators(tx: Queryable): Promise<void> {
  await lockTeam(tx, STAFF);
  await tx.query(LOCK);
}

/** Stores a person with a new key. The table is locked, and the person has none that works. */
export async function giveKey(
  tx: Queryable,
  deps: AddDeps,
  name: string,
): Promise<AddedAdministrator> {
  const known = await findKnown(tx, name);
  if (known?.removed === false) {
    throw new AdminRefused('ADMINISTRATOR_EXISTS', { name: known.name });
  }
  const key = createAdminKey(deps.randomBytes);
  const person = { id: known?.id ?? deps.newId(), name: known?.name ?? name };
  const at = deps.now();
  await tx.query(STORE_PERSON, [person.id, person.name, at]);
  await tx.query(STORE, [person.id, person.name, key.hash, at]);
  await tx.query(GIVE_ROLE, [person.id]);
  return { ...person, key: key.text, returned: known?.hadKey ?? false };
}

export function readAdministratorName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && checkPlainText(name, { codePointsMax: NAME_LENGTH_MAX }) === 'ok') return name;
  throw new AdminRefused('ADMINISTRATOR_NAME_INVALID', { max: NAME_LENGTH_MAX });
}

async function findKnown(
  tx: Queryable,
  name: string,
): Promise<Readonly<{ id: string; name: string; hadKey: boolean; removed: boolean }> | undefined> {
  const [row] = await tx.query<KnownRow>(FIND, [name]);
  return row && { id: row.id, name: row.name, hadKey: row.had_key, removed: row.removed };
}

type KnownRow = { id: string; name: string; had_key: boolean; removed: boolean };

const LOCK: Statement = { name: '', text: 'lock table administrators in share row exclusive mode' };

// A person of the staff who signs in gets a key as the same person: two-person rules count people.
const FIND: Statement = {
  name: '',
  text: `
    select p.id, p.name, a.id is not null as had_key,
           a.id is null or a.removed_at is not null or not exists (
             select from staff_roles r where r.person_id = p.id and r.role = 'admin'
           ) as removed
    from people p
    left join administrators a on a.id = p.id
    where lower(p.name) = lower($1)
      and (a.id is not null or exists (select from staff_roles r where r.person_id = p.id))
    order by removed, had_key desc, p.created_at, p.id
    limit 1`,
};

const STORE_PERSON: Statement = {
  name: '',
  text: `
    insert into people (id, name, created_at) values ($1, $2, $3)
    on conflict (id) do update set removed_at = null`,
};

const GIVE_ROLE: Statement = {
  name: '',
  text: `
    insert into staff_roles (person_id, role, given_at)
    values ($1, 'admin', date_trunc('milliseconds', clock_timestamp()))
    on conflict (person_id, role) do nothing`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into administrators (id, name, key_hash, created_at) values ($1, $2, $3, $4)
    on conflict (id) do update set key_hash = excluded.key_hash, removed_at = null`,
};
