import type { Queryable, Statement } from '../postgres/database.ts';
import type { PeopleDeps } from './people-deps.ts';

/** How a person wants the console to be. Only the console knows what it means. */
export type Preferences = Readonly<Record<string, unknown>>;

export async function findPreferences(
  directory: Queryable,
  personId: string,
): Promise<Preferences> {
  const [row] = await directory.query<{ preferences: Preferences }>(FIND, [personId]);
  return row?.preferences ?? {};
}

export async function storePreferences(
  { directory, now }: Pick<PeopleDeps, 'directory' | 'now'>,
  { personId, preferences }: Readonly<{ personId: string; preferences: Preferences }>,
): Promise<void> {
  await directory.query(STORE, [personId, JSON.stringify(preferences), now()]);
}

const FIND: Statement = {
  name: '',
  text: 'select preferences from preferences where person_id = $1',
};

const STORE: Statement = {
  name: '',
  text: `
    insert into preferences (person_id, preferences, changed_at) values ($1, $2::jsonb, $3)
    on conflict (person_id) do update
    set preferences = excluded.preferences, changed_at = excluded.changed_at`,
};
