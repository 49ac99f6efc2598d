import type { Actor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import {
  type GivenRole,
  MERCHANT_ROLES,
  type MerchantRole,
  mayAsStaff,
  mayGive,
  mayInMerchant,
  STAFF_ROLES,
  type StaffRole,
} from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** The people of one merchant, or the staff. */
export type Team = Readonly<{
  /** Null: the staff. */
  merchantId: string | null;
}>;

export const STAFF: Team = { merchantId: null };

/** A role in a team; `bookId` null: in all books of the merchant, or of the staff. */
export type TeamRole = Readonly<{ role: MerchantRole | StaffRole; bookId: string | null }>;

/** A role and whose it is. */
export type HeldRole = TeamRole & Readonly<{ personId: string }>;

export function isMerchantRole(word: string): word is MerchantRole {
  return MERCHANT_ROLES.some((role) => role === word);
}

export function isStaffRole(word: string): word is StaffRole {
  return STAFF_ROLES.some((role) => role === word);
}

/**
 * The roles of a team. Until the transaction ends no other one changes them, so that two who remove each other take
 * turns, and one of them stays.
 */
export async function lockTeam(tx: Queryable, { merchantId }: Team): Promise<readonly HeldRole[]> {
  await tx.query(LOCK, [lockName(merchantId)]);
  const rows =
    merchantId === null
      ? await tx.query<HeldRow>(READ_STAFF)
      : await tx.query<HeldRow>(READ_MERCHANT, [merchantId]);
  return rows.map(({ person_id, role, book_id }) => ({
    personId: person_id,
    role,
    bookId: book_id,
  }));
}

/**
 * Until the transaction ends no other one changes the roles of the team. Many may read by them at the same time.
 */
export async function shareTeam(tx: Queryable, { merchantId }: Team): Promise<void> {
  await tx.query(SHARE, [lockName(merchantId)]);
}

function lockName(merchantId: string | null): string {
  return `people of ${merchantId ?? 'the staff'}`;
}

/**
 * Refuses an actor who may not change the team, by the roles as they are now: the session was looked at before the
 * lock.
 */
export function refuseUnlessMayChange(actor: Actor, team: Team, held: readonly HeldRole[]): void {
  // The driver asked for the rights of the owner of the tables, or is the service itself.
  if (actor.kind === 'machine' || actor.kind === 'system') return;
  const own = rolesOf(held, actor.id);
  const may =
    team.merchantId === null
      ? mayAsStaff(own.map(({ role }) => role).filter(isStaffRole), 'staff:write')
      : mayInMerchant(own.filter(isGivenRole), 'people:write');
  if (actor.kind !== 'person' || !may) throw refuse('FORBIDDEN');
}

/** Whether a person of the staff may invite the first owner of a merchant, by their roles as they are now. */
export async function mayInviteFirstOwner(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query<{ role: StaffRole }>(STAFF_ROLES_OF, [personId]);
  return mayAsStaff(
    rows.map(({ role }) => role),
    'merchants:write',
  );
}

/** Refuses an actor who would give a role that they do not have. The actor may change the team. */
export function refuseUnlessMayGive(
  actor: Actor,
  team: Team,
  {
    held,
    wanted,
    receiverId,
  }: Readonly<{
    held: readonly HeldRole[];
    wanted: readonly TeamRole[];
    /** Who gets them; undefined: a person who is not known yet. */
    receiverId: string | undefined;
  }>,
): void {
  if (actor.kind !== 'person') return;
  if (team.merchantId === null) {
    if (receiverId === actor.id && isNewRole(held, { personId: actor.id, wanted })) {
      throw refuse('FORBIDDEN', OWN_ROLES);
    }
    return;
  }
  const own = rolesOf(held, actor.id).filter(isGivenRole);
  if (!wanted.filter(isGivenRole).every((role) => mayGive(own, role))) throw refuse('FORBIDDEN');
}

/**
 * Whether a role is one that the person does not have. Who may change the staff is an admin, and an admin may give every
 * role of the staff to others. With one that an admin takes for themselves, one person could do what is meant for two.
 */
export function isNewRole(
  held: readonly HeldRole[],
  { personId, wanted }: Readonly<{ personId: string; wanted: readonly TeamRole[] }>,
): boolean {
  const own = rolesOf(held, personId).map(({ role }) => role);
  return wanted.some(({ role }) => !own.includes(role));
}

const OWN_ROLES = {
  message:
    'You cannot give yourself a role that you do not have. Ask another admin to give it to you.',
};

export function rolesOf(held: readonly HeldRole[], personId: string): readonly TeamRole[] {
  return held
    .filter((role) => role.personId === personId)
    .map(({ role, bookId }) => ({ role, bookId }));
}

/** Refuses to leave a team without an owner of the whole merchant, or the staff without an admin. */
export function refuseWithoutHead(
  team: Team,
  { before, after }: Readonly<{ before: readonly HeldRole[]; after: readonly HeldRole[] }>,
): void {
  const isHead = ({ role, bookId }: TeamRole): boolean =>
    role === (team.merchantId === null ? 'admin' : 'owner') && bookId === null;
  if (!before.some(isHead) || after.some(isHead)) return;
  throw refuse(team.merchantId === null ? 'LAST_ADMIN' : 'LAST_OWNER');
}

/** The roles as texts for the record: `owner`, `viewer in 019a…`. */
export function describeRoles(roles: readonly TeamRole[]): readonly string[] {
  return roles.map(({ role, bookId }) => (bookId === null ? role : `${role} in ${bookId}`)).sort();
}

export function isGivenRole(role: TeamRole): role is GivenRole {
  return isMerchantRole(role.role);
}

type HeldRow = { person_id: string; role: MerchantRole | StaffRole; book_id: string | null };

// No row to lock: a team may be empty, and the lock must keep new roles out too.
const LOCK: Statement = {
  name: '',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
};

const SHARE: Statement = {
  name: '',
  text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))',
};

const READ_MERCHANT: Statement = {
  name: '',
  text: 'select person_id, role, book_id from merchant_roles where merchant_id = $1',
};

const STAFF_ROLES_OF: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1',
};

const READ_STAFF: Statement = {
  name: '',
  text: 'select person_id, role, null::uuid as book_id from staff_roles',
};
