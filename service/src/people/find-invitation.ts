import { refuse } from '../domain/refusal.ts';
import type { MerchantRole, StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { cannotSignIn, isClosed } from './close-account.ts';
import { readInvitationToken } from './invitation-token.ts';
import type { Team, TeamRole } from './team.ts';

/** An invitation that can be accepted now. */
export type FoundInvitation = Readonly<{
  id: string;
  team: Team;
  merchant: Readonly<{ id: string; name: string }> | null;
  name: string;
  email: string;
  roles: readonly TeamRole[];
  /** The roles reach a live book, or are of the staff: a person who has them must have a second factor. */
  needsSecondFactor: boolean;
  expiresAt: Date;
  /** Who has an account already and gets the roles; undefined: a person who is new. */
  person: Readonly<{ id: string; name: string; email: string }> | undefined;
  /** Who gets the account: an administrator with a key, or a person whose account was closed; undefined: one who is new. */
  namedId: string | undefined;
  /** The invitation was written for this administrator, not only for the address. */
  isForAdministrator: boolean;
}>;

type FindDeps = Readonly<{ directory: Queryable; now: () => Date }>;

/** One answer for a token that was never given, and for one that was used, withdrawn or is too old. */
export async function findInvitation(
  { directory, now }: FindDeps,
  token: string,
): Promise<FoundInvitation> {
  const hash = readInvitationToken(token);
  const [row] = hash === undefined ? [] : await directory.query<Row>(FIND, [hash, now()]);
  if (row === undefined) throw refuse('INVITATION_NOT_FOUND');
  const closedId = row.is_closed ? row.known_id : null;
  return {
    id: row.id,
    team: { merchantId: row.merchant_id },
    merchant: row.merchant_id === null ? null : { id: row.merchant_id, name: row.merchant ?? '' },
    name: row.name,
    email: row.email,
    roles: row.roles,
    needsSecondFactor: row.merchant_id === null || row.reaches_live,
    expiresAt: row.expires_at,
    person:
      row.known_id === null || row.known_email === null || closedId !== null
        ? undefined
        : { id: row.known_id, name: row.known_name ?? '', email: row.known_email },
    namedId: row.person_id ?? closedId ?? undefined,
    isForAdministrator: row.person_id !== null,
  };
}

type Row = {
  id: string;
  merchant_id: string | null;
  merchant: string | null;
  name: string;
  email: string;
  roles: { role: MerchantRole | StaffRole; bookId: string | null }[];
  reaches_live: boolean;
  expires_at: Date;
  person_id: string | null;
  known_id: string | null;
  known_name: string | null;
  known_email: string | null;
  is_closed: boolean;
};

// The invited person comes before a person who has the same address since.
const FIND: Statement = {
  name: '',
  text: `
    select i.id, i.merchant_id, m.name as merchant, i.name, i.email, i.expires_at,
           (
             select jsonb_agg(jsonb_build_object('role', r.role, 'bookId', r.book_id) order by r.role, r.book_id)
             from invitation_roles r
             where r.invitation_id = i.id
           ) as roles,
           exists (
             select from invitation_roles r
             left join books b on b.id = r.book_id
             where r.invitation_id = i.id and (r.book_id is null or b.mode = 'live')
           ) as reaches_live,
           i.person_id, p.id as known_id, p.name as known_name, p.email as known_email,
           p.id is not null and case
             when i.person_id is null then ${isClosed('p')} else ${cannotSignIn('p')}
           end as is_closed
    from invitations i
    left join merchants m on m.id = i.merchant_id
    left join people p on p.email is not null and case
      when i.person_id is null then p.email = i.email else p.id = i.person_id
    end
    where i.token_hash = $1 and i.ended_at is null and i.expires_at > $2`,
};
