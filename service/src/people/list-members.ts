import type { GivenRole, MerchantRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** A person who works for a merchant. */
export type Member = Readonly<{
  id: string;
  name: string;
  roles: readonly GivenRole[];
}>;

const ROLES_READ_MAX = 5_000;

/**
 * The people of a merchant with their roles, by name; of the directory, or of a cell, which on another server has no more
 * of them than this.
 */
export async function listMembers(
  database: Queryable,
  { merchantId }: Readonly<{ merchantId: string }>,
): Promise<readonly Member[]> {
  const rows = await database.query<MemberRow>(LIST, [merchantId, ROLES_READ_MAX]);
  const members = new Map<string, Member & { roles: GivenRole[] }>();
  for (const { id, name, role, book_id: bookId } of rows) {
    const member = members.get(id) ?? { id, name, roles: [] };
    member.roles.push({ role, bookId });
    members.set(id, member);
  }
  return [...members.values()];
}

type MemberRow = {
  id: string;
  name: string;
  role: MerchantRole;
  book_id: string | null;
};

const LIST: Statement = {
  name: '',
  text: `
    select p.id, p.name, r.role, r.book_id
    from merchant_roles r
    join people p on p.id = r.person_id and p.removed_at is null
    where r.merchant_id = $1
    order by lower(p.name), p.id, r.role
    limit $2`,
};
