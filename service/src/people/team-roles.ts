import { fieldProblem } from '../domain/field-problem.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { requestApprovalChecks } from './request-approval-checks.ts';
import { isMerchantRole, isStaffRole, type Team, type TeamRole } from './team.ts';

/** Five roles, in all books or in one of two. */
export const ROLES_OF_PERSON_MAX = 20;

/** Refuses roles that the team does not have, and books that are not the merchant's. */
export async function refuseForeignRoles(
  tx: Queryable,
  { merchantId }: Team,
  roles: readonly TeamRole[],
): Promise<void> {
  const named = new Set(roles.map(({ role, bookId }) => `${role} ${bookId}`));
  const ofTeam = roles.every(({ role, bookId }) =>
    merchantId === null ? isStaffRole(role) && bookId === null : isMerchantRole(role),
  );
  const books = [...new Set(roles.flatMap(({ bookId }) => (bookId === null ? [] : [bookId])))];
  const known =
    books.length === 0 || merchantId === null
      ? books.length
      : (await tx.query(FIND_BOOKS, [merchantId, books])).length;
  const fits = roles.length > 0 && roles.length <= ROLES_OF_PERSON_MAX;
  if (fits && ofTeam && named.size === roles.length && known === books.length) return;
  throw refuse('VALIDATION_ERROR', { fields: [fieldProblem('roles', 'INVALID_ROLES')] });
}

/**
 * Gives a person roles of the team, beside their present ones. Every change of a merchant's roles ends here, also one
 * that leaves a person with none: so this is where what waits for approvals is looked at again.
 */
export async function giveRoles(
  tx: Queryable,
  { merchantId }: Team,
  given: Readonly<{
    personId: string;
    roles: readonly TeamRole[];
    /** Since when; left out: now, by the clock of the directory. */
    since?: Date;
  }>,
): Promise<void> {
  const { personId, roles, since: at = null } = given;
  const words = roles.map(({ role }) => role);
  if (merchantId === null) {
    await tx.query(GIVE_STAFF, [personId, words, at]);
    return;
  }
  const books = roles.map(({ bookId }) => bookId);
  await tx.query(GIVE_MERCHANT, [personId, merchantId, words, books, at]);
  await requestApprovalChecks(tx, merchantId);
}

/** Takes all roles of the team from a person except those named, which stay as old as they are. */
export async function takeRolesExcept(
  tx: Queryable,
  { merchantId }: Team,
  { personId, kept }: Readonly<{ personId: string; kept: readonly TeamRole[] }>,
): Promise<void> {
  const words = kept.map(({ role }) => role);
  if (merchantId === null) {
    await tx.query(TAKE_STAFF, [personId, words]);
    return;
  }
  const books = kept.map(({ bookId }) => bookId);
  await tx.query(TAKE_MERCHANT, [personId, merchantId, words, books]);
}

const FIND_BOOKS: Statement = {
  name: '',
  text: 'select id from books where merchant_id = $1 and id = any ($2::uuid[])',
};

const GIVE_STAFF: Statement = {
  name: '',
  text: `
    insert into staff_roles (person_id, role, given_at)
    select $1, r.role, coalesce($3, date_trunc('milliseconds', clock_timestamp()))
    from unnest($2::text[]) r (role)
    on conflict do nothing`,
};

const GIVE_MERCHANT: Statement = {
  name: '',
  text: `
    insert into merchant_roles (person_id, merchant_id, role, book_id, given_at)
    select $1, $2, r.role, r.book_id, coalesce($5, date_trunc('milliseconds', clock_timestamp()))
    from unnest($3::text[], $4::uuid[]) r (role, book_id)
    on conflict do nothing`,
};

const TAKE_STAFF: Statement = {
  name: '',
  text: 'delete from staff_roles where person_id = $1 and role <> all ($2::text[])',
};

const TAKE_MERCHANT: Statement = {
  name: '',
  text: `
    delete from merchant_roles m
    where m.person_id = $1 and m.merchant_id = $2
      and not exists (
        select from unnest($3::text[], $4::uuid[]) r (role, book_id)
        where r.role = m.role and r.book_id is not distinct from m.book_id
      )`,
};
