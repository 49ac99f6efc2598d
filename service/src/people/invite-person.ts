import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import { type Actor, nameActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { refuse } from '../domain/refusal.ts';
import type { SendMail } from '../mail/create-mailer.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { cannotSignIn } from './close-account.ts';
import { createInvitationToken } from './invitation-token.ts';
import {
  describeRoles,
  type HeldRole,
  lockTeam,
  mayInviteFirstOwner,
  refuseUnlessMayChange,
  refuseUnlessMayGive,
  type Team,
  type TeamRole,
} from './team.ts';
import { refuseForeignRoles } from './team-roles.ts';
import { withdrawInvitationsTo } from './withdraw-invitation.ts';
import { writeInvitationMail } from './write-invitation-mail.ts';

const INVITATION_LIFE_MS = 24 * 60 * 60_000;
/** People and open invitations of one team. */
export const TEAM_SIZE_MAX = 500;
const INVITER_LENGTH_MAX = 300;

export type InviteDeps = ActDeps &
  Readonly<{
    directory: Database;
    randomBytes: (size: number) => Uint8Array;
    /** The address of the console, such as https://pay.example. */
    consoleOrigin: () => string;
    /** Undefined: mail is not set up. */
    sendMail: SendMail | undefined;
  }>;

export type InviteRequest = Readonly<{
  actor: Actor;
  team: Team;
  name: string;
  email: string;
  roles: readonly TeamRole[];
}>;

/** `link` works once, for 24 hours, and can be seen only now. */
export type Invited = Readonly<{ id: string; link: string; expiresAt: Date; mailed: boolean }>;

/** Invites a person to a team by a link, in place of an earlier invitation to the same address. */
export async function invitePerson(deps: InviteDeps, request: InviteRequest): Promise<Invited> {
  const token = createInvitationToken(deps.randomBytes);
  const { id, expiresAt, teamName } = await deps.directory.transaction((tx) =>
    storeInvitation(tx, deps, { ...request, tokenHash: token.hash }),
  );
  const link = `${deps.consoleOrigin()}/console/invitation/${token.text}`;
  // After the commit: a mail cannot be taken back, and a mail server may be slow.
  const mail = writeInvitationMail({ ...request, teamName, link, expiresAt });
  const mailed = (await deps.sendMail?.(mail)) ?? false;
  return { id, link, expiresAt, mailed };
}

async function storeInvitation(
  tx: Queryable,
  deps: InviteDeps,
  request: InviteRequest & Readonly<{ tokenHash: Buffer }>,
) {
  const { actor, team, name, email, roles, tokenHash } = request;
  const held = await lockTeam(tx, team);
  const named = await findWithoutAccount(tx, request);
  await refuseUnlessMayInvite(tx, request, { held, namedId: named?.id });
  if (named?.hasOther === true) throw addressTaken(name);
  await refuseForeignRoles(tx, team, roles);
  const at = deps.now();
  await withdrawInvitationsTo(tx, { team, email, at });
  await refuseLargeTeam(tx, team, held, at);
  const id = deps.newId();
  const expiresAt = new Date(at.getTime() + INVITATION_LIFE_MS);
  await tx.query(STORE, [
    id,
    tokenHash,
    team.merchantId,
    name,
    email,
    named?.id ?? null,
    actor.kind === 'person' ? actor.id : null,
    nameActor(actor).slice(0, INVITER_LENGTH_MAX),
    at,
    expiresAt,
  ]);
  const words = roles.map(({ role }) => role);
  await tx.query(STORE_ROLES, [id, words, roles.map(({ bookId }) => bookId)]);
  await recordAct(tx, deps, {
    actor,
    kind: 'PERSON_INVITED',
    subject: id,
    merchantId: team.merchantId,
    reason: null,
    before: null,
    after: { name, email, roles: describeRoles(roles), expiresAt: expiresAt.toISOString() },
  });
  return { id, expiresAt, teamName: await findTeamName(tx, team) };
}

/**
 * People invite to their own team. The staff also invites the first owner of a merchant, who then invites the others;
 * once there is an owner, the staff has no way into a merchant.
 */
async function refuseUnlessMayInvite(
  tx: Queryable,
  { actor, team, roles, email }: InviteRequest,
  { held, namedId }: Readonly<{ held: readonly HeldRole[]; namedId: string | undefined }>,
): Promise<void> {
  const hasOwner = held.some(({ role, bookId }) => role === 'owner' && bookId === null);
  const isFirstOwner = !hasOwner && roles.every(({ role }) => role === 'owner');
  if (team.merchantId !== null && isFirstOwner && actor.kind === 'person') {
    if (await mayInviteFirstOwner(tx, actor.id)) return;
  }
  if (team.merchantId === null && actor.kind === 'machine') await refuseUnlessFirst(tx);
  refuseUnlessMayChange(actor, team, held);
  const [receiver] = await tx.query<{ id: string }>(FIND_BY_ADDRESS, [email]);
  const receiverId = namedId ?? receiver?.id;
  refuseUnlessMayGive(actor, team, { held, wanted: roles, receiverId });
}

/** The machine makes the first admin who can sign in; that one invites the others, and can be held to it. */
async function refuseUnlessFirst(tx: Queryable): Promise<void> {
  const present = await tx.query(ANY_ADMIN);
  if (present.length > 0) throw new AdminRefused('ADMINISTRATOR_NEEDED', {});
}

async function refuseLargeTeam(
  tx: Queryable,
  { merchantId }: Team,
  held: readonly HeldRole[],
  at: Date,
): Promise<void> {
  const people = new Set(held.map(({ personId }) => personId)).size;
  const [row] = await tx.query<{ open: number }>(COUNT_OPEN, [merchantId, at]);
  if (people + (row?.open ?? 0) < TEAM_SIZE_MAX) return;
  throw refuse('LIMIT_EXCEEDED', {
    message: `There are ${TEAM_SIZE_MAX} people and open invitations, which is the most. Remove one first.`,
  });
}

/**
 * An administrator with a key has no address yet, or has one from before they were removed, and nothing opens the account.
 * An invitation to the staff in the same name, or to this address, is for this person, who stays one person at the command
 * line and in the console: two of them would be two people of a two-person rule.
 */
async function findWithoutAccount(
  tx: Queryable,
  { team, name, email }: InviteRequest,
): Promise<Readonly<{ id: string; hasOther: boolean }> | undefined> {
  if (team.merchantId !== null) return undefined;
  const [person] = await tx.query<{ id: string; has_other: boolean }>(FIND_WITHOUT_ACCOUNT, [
    name,
    email,
  ]);
  return person && { id: person.id, hasOther: person.has_other };
}

function addressTaken(name: string): Error {
  return refuse('INVALID_STATE', {
    message: `${name} is an administrator with a key, and another person has this address. Give an address that is not used yet.`,
  });
}

async function findTeamName(tx: Queryable, { merchantId }: Team): Promise<string | null> {
  if (merchantId === null) return null;
  const [merchant] = await tx.query<{ name: string }>(MERCHANT_NAME, [merchantId]);
  if (merchant === undefined) throw refuse('NOT_FOUND');
  return merchant.name;
}

const STORE: Statement = {
  name: '',
  text: `
    insert into invitations (
      id, token_hash, merchant_id, name, email, person_id, invited_by, invited_by_name, created_at, expires_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};

const STORE_ROLES: Statement = {
  name: '',
  text: `
    insert into invitation_roles (invitation_id, role, book_id)
    select $1, r.role, r.book_id from unnest($2::text[], $3::uuid[]) r (role, book_id)`,
};

const FIND_BY_ADDRESS: Statement = { name: '', text: 'select id from people where email = $1' };

const ANY_ADMIN: Statement = {
  name: '',
  text: `
    select p.id
    from staff_roles r
    join people p on p.id = r.person_id and p.email is not null and p.removed_at is null
    where r.role = 'admin'
    limit 1`,
};

const COUNT_OPEN: Statement = {
  name: '',
  text: `
    select count(*)::integer as open from invitations
    where merchant_id is not distinct from $1::uuid and ended_at is null and expires_at > $2`,
};

const FIND_WITHOUT_ACCOUNT: Statement = {
  name: '',
  text: `
    select p.id,
           exists (select from people other where other.email = $2 and other.id <> p.id) as has_other
    from people p
    where (lower(p.name) = lower($1) or p.email = $2)
      and (
        p.email is null
        or ${cannotSignIn('p')}
          and exists (select from administrators a where a.id = p.id and a.removed_at is null)
      )
    order by lower(p.name) = lower($1) desc, p.email = $2 desc nulls last
    limit 1`,
};

const MERCHANT_NAME: Statement = { name: '', text: 'select name from merchants where id = $1' };
