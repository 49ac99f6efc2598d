import type { GivenRole, MerchantRole, StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { SESSION_IDLE_MS } from './find-session.ts';

/** What the person of an open session may do now. */
export type StandingSession = Readonly<{
  staffRoles: readonly StaffRole[];
  rolesIn(merchantId: string): readonly GivenRole[];
}>;

/**
 * Which of these sessions are open now, by id: one statement, however many are asked for. Does not count as a use, so
 * that a page which only listens does not keep a session open.
 */
export async function checkSessions(
  directory: Queryable,
  { ids, at }: Readonly<{ ids: readonly string[]; at: Date }>,
): Promise<ReadonlyMap<string, StandingSession>> {
  const idleSince = new Date(at.getTime() - SESSION_IDLE_MS);
  const rows = await directory.query<StandingRow>(CHECK, [ids, at, idleSince]);
  return new Map(
    rows.map(({ id, staff_roles, roles }) => [
      id,
      {
        staffRoles: staff_roles,
        rolesIn: (merchantId) => roles.filter((role) => role.merchantId === merchantId),
      },
    ]),
  );
}

type StandingRow = {
  id: string;
  staff_roles: StaffRole[];
  roles: { merchantId: string; role: MerchantRole; bookId: string | null }[];
};

const CHECK: Statement = {
  name: 'check-sessions',
  text: `
    select s.id,
           array(select r.role from staff_roles r where r.person_id = s.person_id) as staff_roles,
           coalesce((
             select jsonb_agg(jsonb_build_object(
                      'merchantId', r.merchant_id, 'role', r.role, 'bookId', r.book_id
                    ))
             from merchant_roles r
             where r.person_id = s.person_id
           ), '[]') as roles
    from sessions s
    join people p on p.id = s.person_id and p.removed_at is null and p.email is not null
    where s.id = any ($1::uuid[]) and s.ended_at is null and s.expires_at > $2 and s.last_used_at > $3`,
};
