import type { BookPlace } from '../domain/book.ts';
import type { GivenRole, MerchantRole, StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Membership, PersonSession, SessionFinder } from './session.ts';
import { readSessionToken } from './session-token.ts';

/** A session ends when it is not used for this long. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** The use of a session is noted once in this time: each note is a write. */
const NOTE_USE_EVERY_MS = 30_000;

type FinderDeps = Readonly<{ directory: Queryable; now: () => Date }>;

/**
 * Every call asks the database: people make few calls, and a role or session that was ended a moment ago must be gone
 * in every process.
 */
export function createSessionFinder({ directory, now }: FinderDeps): SessionFinder {
  return async (text, { isUnattended } = { isUnattended: false }) => {
    const hash = readSessionToken(text);
    if (hash === undefined) return undefined;
    const at = now();
    const idleSince = new Date(at.getTime() - SESSION_IDLE_MS);
    const [row] = await directory.query<SessionRow>(FIND, [hash, at, idleSince]);
    if (row === undefined) return undefined;
    const isNoted = at.getTime() - row.last_used_at.getTime() < NOTE_USE_EVERY_MS;
    if (!isUnattended && !isNoted) {
      await directory.query(NOTE_USE, [row.id, at]);
    }
    return toSession(row);
  };
}

type RoleRow = { merchantId: string; merchant: string; role: MerchantRole; bookId: string | null };

type SessionRow = {
  id: string;
  last_used_at: Date;
  has_second_factor: boolean;
  stepped_up_at: Date | null;
  person_id: string;
  name: string;
  email: string;
  staff_roles: StaffRole[];
  roles: RoleRow[];
  books: BookPlace[];
  expires_at: Date;
};

function toSession(row: SessionRow): PersonSession {
  return {
    id: row.id,
    person: { id: row.person_id, name: row.name, email: row.email },
    hasSecondFactor: row.has_second_factor,
    steppedUpAt: row.stepped_up_at,
    staffRoles: row.staff_roles,
    memberships: toMemberships(row.roles, row.books),
    expiresAt: row.expires_at,
  };
}

function toMemberships(rows: readonly RoleRow[], books: readonly BookPlace[]): Membership[] {
  const rolesByMerchant = new Map<string, { name: string; roles: GivenRole[] }>();
  for (const { merchantId, merchant, role, bookId } of rows) {
    const found = rolesByMerchant.get(merchantId) ?? { name: merchant, roles: [] };
    found.roles.push({ role, bookId });
    rolesByMerchant.set(merchantId, found);
  }
  return [...rolesByMerchant].map(([id, { name, roles }]) => ({
    merchant: { id, name },
    roles,
    books: books
      .filter((book) => book.merchantId === id)
      .filter((book) => roles.some(({ bookId }) => bookId === null || bookId === book.id)),
  }));
}

const FIND: Statement = {
  name: 'find-session',
  text: `
    select s.id, s.last_used_at, s.expires_at, s.has_second_factor, s.stepped_up_at, p.id as person_id, p.name, p.email,
           array(
             select r.role from staff_roles r where r.person_id = p.id order by r.role
           ) as staff_roles,
           coalesce((
             select jsonb_agg(jsonb_build_object(
                      'merchantId', r.merchant_id, 'merchant', m.name, 'role', r.role, 'bookId', r.book_id
                    ) order by m.name, m.id, r.role)
             from merchant_roles r
             join merchants m on m.id = r.merchant_id
             where r.person_id = p.id
           ), '[]') as roles,
           coalesce((
             select jsonb_agg(jsonb_build_object(
                      'id', b.id, 'merchantId', b.merchant_id, 'mode', b.mode, 'cell', m.cell
                    ) order by b.mode, b.id)
             from books b
             join merchants m on m.id = b.merchant_id
             where b.merchant_id in (select r.merchant_id from merchant_roles r where r.person_id = p.id)
           ), '[]') as books
    from sessions s
    join people p on p.id = s.person_id and p.removed_at is null and p.email is not null
    where s.token_hash = $1 and s.ended_at is null and s.expires_at > $2 and s.last_used_at > $3`,
};

const NOTE_USE: Statement = {
  name: 'note-session-use',
  text: 'update sessions set last_used_at = $2 where id = $1 and last_used_at < $2',
};
