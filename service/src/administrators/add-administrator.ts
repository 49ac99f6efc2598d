import { AdminRefused } from '../domain/admin-refused.ts';
import { checkPlainText } from '../domain/plain-text.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { createAdminKey } from './admin-key.ts';
import { type Administrator, authenticateAdministrator } from './authenticate-administrator.ts';
import { type NoteDeps, noteAct } from './note-act.ts';

const NAME_LENGTH_MAX = 80;

export type AddDeps = NoteDeps &
  Readonly<{ database: Database; randomBytes: (size: number) => Uint8Array }>;

/** `key` is the key itself: this is the only time it can be seen. */
export type AddedAdministrator = Administrator & Readonly<{ key: string; returned: boolean }>;

/**
 * Gives a person a key of their own. The first one needs nobody's leave; every later one needs an
 * administrator. Somebody who was removed comes back as the same person with a new key.
 */
export async function addAdministrator(
  deps: AddDeps,
  request: Readonly<{ name: string; key: string | undefined }>,
): Promise<AddedAdministrator> {
  const name = readAdministratorName(request.name);
  return deps.database.transaction(async (tx) => {
    // Two who would both be the first take turns.
    await tx.query(LOCK);
    const [anybody] = await tx.query(ANYBODY);
    const administrator =
      anybody === undefined ? null : await authenticateAdministrator(tx, request.key);
    const known = await findKnown(tx, name);
    if (known?.removed === false) {
      throw new AdminRefused(
        `There is already an administrator called "${known.name}".`,
        'Choose another name. Whoever lost their key is removed first and then added again.',
      );
    }
    const key = createAdminKey(deps.randomBytes);
    const added = { id: known?.id ?? deps.newId(), name: known?.name ?? name };
    await tx.query(STORE, [added.id, added.name, key.hash, deps.now()]);
    const act = 'administrators add';
    await noteAct(tx, deps, { administrator, act, subject: added.name, detail: null });
    return { ...added, key: key.text, returned: known !== undefined };
  });
}

export function readAdministratorName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && checkPlainText(name, { codePointsMax: NAME_LENGTH_MAX }) === 'ok') return name;
  throw new AdminRefused(
    'That is no name for an administrator.',
    `Give the person's own name: 1 to ${NAME_LENGTH_MAX} characters without control characters.`,
  );
}

async function findKnown(
  tx: Queryable,
  name: string,
): Promise<(Administrator & Readonly<{ removed: boolean }>) | undefined> {
  const [row] = await tx.query<{ id: string; name: string; removed: boolean }>(FIND, [name]);
  return row;
}

const LOCK: Statement = { name: '', text: 'lock table administrators in share row exclusive mode' };

const ANYBODY: Statement = {
  name: '',
  text: 'select id from administrators where removed_at is null limit 1',
};

const FIND: Statement = {
  name: '',
  text: `
    select id, name, removed_at is not null as removed
    from administrators
    where lower(name) = lower($1)`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into administrators (id, name, key_hash, created_at) values ($1, $2, $3, $4)
    on conflict (id) do update set key_hash = excluded.key_hash, removed_at = null`,
};
