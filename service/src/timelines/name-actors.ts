import { parseUuid } from '../domain/uuid.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Who did something, as a merchant may know it. */
export type ShownActor = Readonly<{
  kind: 'person' | 'key' | 'staff' | 'system';
  /** Null for the staff and the service, whose parts are their own. */
  id: string | null;
  name: string;
}>;

const STAFF: ShownActor = { kind: 'staff', id: null, name: 'Kafue staff' };
const LEFT: ShownActor = { kind: 'person', id: null, name: 'A person who left' };
const SERVICE: ShownActor = { kind: 'system', id: null, name: 'Kafue' };
const ACTORS_MAX = 100;

type Where = Readonly<{ bookId: string; merchantId: string }>;
type PersonRow = { id: string; name: string; is_member: boolean; is_staff: boolean };

/**
 * Makes names of the codes that are recorded with events. A merchant sees the names of its own people and keys. The staff
 * act for the company and not in their own names.
 */
export async function nameActors(
  database: Queryable,
  { bookId, merchantId }: Where,
  { codes, creator }: Readonly<{ codes: readonly string[]; creator: string | undefined }>,
): Promise<(code: string) => ShownActor> {
  const ids = (kind: string) =>
    [...new Set(codes)].flatMap((code) => idOf(code, kind) ?? []).slice(0, ACTORS_MAX);
  const names = new Map<string, ShownActor>();
  const people = ids('person');
  if (people.length > 0) {
    for (const row of await database.query<PersonRow>(PEOPLE, [people, merchantId])) {
      const code = `person:${row.id}`;
      // The staff start no payouts, so who did is of the merchant, also after leaving it.
      const isOurs = row.is_member || code === creator;
      if (isOurs) names.set(code, { kind: 'person', id: row.id, name: row.name });
      else names.set(code, row.is_staff ? STAFF : LEFT);
    }
  }
  const keys = ids('key');
  if (keys.length > 0) {
    for (const row of await database.query<{ id: string; name: string }>(KEYS, [bookId, keys])) {
      names.set(`key:${row.id}`, { kind: 'key', id: row.id, name: row.name });
    }
  }
  return (code) => names.get(code) ?? withoutName(code);
}

function idOf(code: string, kind: string): string | undefined {
  return code.startsWith(`${kind}:`) ? parseUuid(code.slice(kind.length + 1)) : undefined;
}

function withoutName(code: string): ShownActor {
  const key = idOf(code, 'key');
  if (key !== undefined) return { kind: 'key', id: key, name: 'API key' };
  return /^(?:person|machine|administrator):/.test(code) ? STAFF : SERVICE;
}

// People may live in another database than books, so the two are asked apart.
const PEOPLE: Statement = {
  name: '',
  text: `
    select p.id, p.name,
           exists (
             select 1 from merchant_roles r where r.person_id = p.id and r.merchant_id = $2
           ) as is_member,
           exists (select 1 from staff_roles s where s.person_id = p.id) as is_staff
    from people p
    where p.id = any ($1::uuid[])`,
};

const KEYS: Statement = {
  name: '',
  text: 'select k.id, k.name from api_keys k where k.book_id = $1 and k.id = any ($2::uuid[])',
};
