import { parseEmail } from '../../domain/email-address.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { PERSON_NAME_LENGTH_MAX, parsePersonName } from '../../people/person-name.ts';
import { isMerchantRole, isStaffRole, type TeamRole } from '../../people/team.ts';
import type { FieldReader } from '../server/field-reader.ts';
import type { JsonObject, JsonValue } from '../server/strict-json.ts';

type BodyFields = Readonly<{ read: FieldReader; body: JsonObject }>;

/** Reads the fields that only people have. Broken values read as undefined. */
export function readNameField({ read, body }: BodyFields): string | undefined {
  const text = body.get('name');
  const name = typeof text === 'string' ? parsePersonName(text) : undefined;
  if (text === undefined) read.problem('name', 'REQUIRED');
  else if (name === undefined) {
    read.problem(
      'name',
      'INVALID_TEXT',
      `1 to ${PERSON_NAME_LENGTH_MAX} characters of plain text.`,
    );
  }
  return name;
}

export function readEmailField({ read, body }: BodyFields): string | undefined {
  const text = body.get('email');
  const email = typeof text === 'string' ? parseEmail(text) : undefined;
  if (email === undefined) read.problem('email', text === undefined ? 'REQUIRED' : 'INVALID_EMAIL');
  return email;
}

export function readRoles(
  { read, body }: BodyFields,
  field = 'roles',
): readonly TeamRole[] | undefined {
  const value = body.get(field);
  const items = Array.isArray(value) ? value.map(readRole) : [];
  const roles = items.filter((role) => role !== undefined);
  if (roles.length > 0 && roles.length === items.length) return roles;
  read.problem(field, value === undefined ? 'REQUIRED' : 'INVALID_ROLES');
  return undefined;
}

function readRole(item: JsonValue): TeamRole | undefined {
  if (!(item instanceof Map)) return undefined;
  const [role, book = null] = [item.get('role'), item.get('bookId')];
  if (typeof role !== 'string' || !(isMerchantRole(role) || isStaffRole(role))) return undefined;
  if ([...item.keys()].some((name) => name !== 'role' && name !== 'bookId')) return undefined;
  if (book === null) return { role, bookId: null };
  const bookId = typeof book === 'string' ? parseUuid(book) : undefined;
  return bookId === undefined ? undefined : { role, bookId };
}

/** The id in the path of a person. */
export function readPersonId({ id = '' }: Readonly<Record<string, string>>): string {
  const personId = parseUuid(id);
  if (personId === undefined) throw refuse('PERSON_NOT_FOUND');
  return personId;
}
