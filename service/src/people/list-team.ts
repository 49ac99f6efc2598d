import type { MerchantRole, StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { TEAM_SIZE_MAX } from './invite-person.ts';
import type { Team, TeamRole } from './team.ts';

type TeamPerson = Readonly<{
  id: string;
  name: string;
  /** Null: an administrator with a key and no way to sign in. */
  email: string | null;
  roles: readonly TeamRole[];
  secondFactor: 'totp' | 'passkey' | 'none';
  lastSeenAt: Date | null;
}>;

type OpenInvitation = Readonly<{
  id: string;
  name: string;
  email: string;
  roles: readonly TeamRole[];
  invitedBy: string;
  expiresAt: Date;
}>;

export type TeamList = Readonly<{
  people: readonly TeamPerson[];
  invitations: readonly OpenInvitation[];
}>;

/** Who belongs to a team, and who is invited to it. */
export async function listTeam(
  { directory, now }: Readonly<{ directory: Queryable; now: () => Date }>,
  { merchantId }: Team,
): Promise<TeamList> {
  const people = await directory.query<PersonRow>(
    merchantId === null ? STAFF_PEOPLE : MERCHANT_PEOPLE,
    [TEAM_SIZE_MAX, ...(merchantId === null ? [] : [merchantId])],
  );
  const open = await directory.query<InvitationRow>(INVITATIONS, [
    TEAM_SIZE_MAX,
    merchantId,
    now(),
  ]);
  return {
    people: people.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      roles: row.roles,
      secondFactor: row.second_factor,
      lastSeenAt: row.last_seen_at,
    })),
    invitations: open.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      roles: row.roles,
      invitedBy: row.invited_by_name,
      expiresAt: row.expires_at,
    })),
  };
}

/** The person with this address, of any team. */
export async function findByEmail(
  directory: Queryable,
  email: string,
): Promise<Readonly<{ id: string; name: string; email: string }> | undefined> {
  const [row] = await directory.query<{ id: string; name: string; email: string }>(FIND, [email]);
  return row;
}

type RoleRow = { role: MerchantRole | StaffRole; bookId: string | null };
type PersonRow = {
  id: string;
  name: string;
  email: string | null;
  roles: RoleRow[];
  second_factor: TeamPerson['secondFactor'];
  last_seen_at: Date | null;
};
type InvitationRow = {
  id: string;
  name: string;
  email: string;
  roles: RoleRow[];
  invited_by_name: string;
  expires_at: Date;
};

const PERSON_COLUMNS = `
  p.id, p.name, p.email, r.roles,
  case
    when exists (select from passkeys k where k.person_id = p.id) then 'passkey'
    when exists (select from totp_factors t where t.person_id = p.id) then 'totp'
    else 'none'
  end as second_factor,
  (select max(s.last_used_at) from sessions s where s.person_id = p.id) as last_seen_at`;

const MERCHANT_PEOPLE: Statement = {
  name: '',
  text: `
    select ${PERSON_COLUMNS}
    from (
      select person_id, jsonb_agg(jsonb_build_object('role', role, 'bookId', book_id) order by role, book_id) as roles
      from merchant_roles
      where merchant_id = $2
      group by person_id
    ) r
    join people p on p.id = r.person_id
    order by lower(p.name), p.id
    limit $1`,
};

const STAFF_PEOPLE: Statement = {
  name: '',
  text: `
    select ${PERSON_COLUMNS}
    from (
      select person_id, jsonb_agg(jsonb_build_object('role', role, 'bookId', null) order by role) as roles
      from staff_roles
      group by person_id
    ) r
    join people p on p.id = r.person_id
    order by lower(p.name), p.id
    limit $1`,
};

const INVITATIONS: Statement = {
  name: '',
  text: `
    select i.id, i.name, i.email, i.invited_by_name, i.expires_at,
           (
             select jsonb_agg(jsonb_build_object('role', r.role, 'bookId', r.book_id) order by r.role, r.book_id)
             from invitation_roles r
             where r.invitation_id = i.id
           ) as roles
    from invitations i
    where i.merchant_id is not distinct from $2::uuid and i.ended_at is null and i.expires_at > $3
    order by i.expires_at desc, i.id
    limit $1`,
};

const FIND: Statement = {
  name: '',
  text: 'select id, name, email from people where email = $1',
};
