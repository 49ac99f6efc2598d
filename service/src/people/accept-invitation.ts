import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import { fieldProblem } from '../domain/field-problem.ts';
import { refuse } from '../domain/refusal.ts';
import { mayInMerchant } from '../domain/roles.ts';
import { type Queryable, type Statement, violatedConstraint } from '../postgres/database.ts';
import { cannotSignIn, isClosed } from './close-account.ts';
import { createSession } from './create-session.ts';
import { type FoundInvitation, findInvitation } from './find-invitation.ts';
import { lockPerson } from './lock-person.ts';
import { refuseWeakPassword } from './password-rules.ts';
import type { SessionFinder } from './session.ts';
import { type SignInDeps, signIn } from './sign-in.ts';
import { storeRecoveryCodes, storeTotp } from './store-totp.ts';
import {
  describeRoles,
  type HeldRole,
  isGivenRole,
  isNewRole,
  lockTeam,
  mayInviteFirstOwner,
  rolesOf,
} from './team.ts';
import { giveRoles } from './team-roles.ts';
import { findTotpStep, isTotpSecret } from './totp.ts';

export type AcceptDeps = SignInDeps & ActDeps & Readonly<{ findSession: SessionFinder }>;

/** As a person typed it. */
export type Acceptance = Readonly<{
  token: string;
  /** Of a person who is new; null: as the inviter wrote it. */
  name: string | null;
  /** Null: of a person who is signed in, which proves as much; an account may have no password. */
  password: string | null;
  /** The secret that the person's authenticator app was given; null: none is set up. */
  totpSecret: string | null;
  code: string | null;
  address: string;
  userAgent: string;
  replacedToken: string | undefined;
}>;

/** `recoveryCodes` are shown once, to a person who is new and has an authenticator app. */
export type Accepted = Readonly<{ token: string; recoveryCodes: readonly string[] | null }>;

/**
 * Uses an invitation up. A person who is new gets an account; one who has an account proves that it is theirs, and only
 * gets the roles.
 */
export async function acceptInvitation(deps: AcceptDeps, given: Acceptance): Promise<Accepted> {
  const invitation = await findInvitation(deps, given.token);
  const { person } = invitation;
  return person === undefined
    ? acceptAsNew(deps, given, invitation)
    : acceptAsKnown(deps, given, { invitation, person });
}

async function acceptAsKnown(
  deps: AcceptDeps,
  given: Acceptance,
  known: Readonly<{
    invitation: FoundInvitation;
    person: Readonly<{ id: string; email: string; name: string }>;
  }>,
): Promise<Accepted> {
  const { invitation, person } = known;
  const { token } = await prove(deps, given, person);
  const session = await deps.findSession(token);
  if (session === undefined) throw signInFirst();
  const personId = person.id;
  await deps.directory.transaction(async (tx) => {
    await holdInvitation(tx, deps, { invitation, personId });
    // Another team may have taken the last role meanwhile, and with it all that opened the account.
    await lockPerson(tx, { personId, sessionId: session.id });
    await finish(tx, deps, { invitation, person });
  });
  return { token, recoveryCodes: null };
}

/** Signs the person in, unless they already are. */
async function prove(
  deps: AcceptDeps,
  { password, code, address, userAgent, replacedToken }: Acceptance,
  person: Readonly<{ id: string; email: string }>,
): Promise<Readonly<{ token: string }>> {
  if (password === null) {
    const session = replacedToken === undefined ? undefined : await deps.findSession(replacedToken);
    if (replacedToken === undefined || session?.person.id !== person.id) throw signInFirst();
    return { token: replacedToken };
  }
  return signIn(deps, {
    email: person.email,
    password,
    code: code ?? undefined,
    address,
    userAgent,
    replacedToken,
  });
}

function signInFirst(): Error {
  return refuse('SIGN_IN_FAILED', {
    message: 'This address has an account. Sign in to it, then open the link again.',
  });
}

async function acceptAsNew(
  deps: AcceptDeps,
  given: Acceptance,
  invitation: FoundInvitation,
): Promise<Accepted> {
  const { email } = invitation;
  const { password } = given;
  if (password === null) throw broken('password', 'REQUIRED');
  const name = given.name ?? invitation.name;
  refuseWeakPassword(password, { name, email });
  const totp = readTotp(deps, given, invitation);
  // Outside the transaction: it takes a while, on purpose.
  const passwordHash = await deps.passwords.hash(password);
  const person = { id: invitation.namedId ?? deps.newId(), name, email };
  const recoveryCodes = await deps.directory
    .transaction(async (tx) => {
      await holdInvitation(tx, deps, { invitation, personId: person.id });
      const { isForAdministrator } = invitation;
      await storePerson(tx, { ...person, passwordHash, isForAdministrator, at: deps.now() });
      await finish(tx, deps, { invitation, person });
      if (totp === null) return null;
      await storeTotp(tx, deps, { personId: person.id, ...totp });
      return storeRecoveryCodes(tx, deps, person.id);
    })
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'people_email_key' ? accountWasMade() : error;
    });
  const { token } = await createSession(deps, {
    personId: person.id,
    hasSecondFactor: totp !== null,
    address: given.address,
    userAgent: given.userAgent,
    replacedToken: given.replacedToken,
    passwordHash,
  });
  return { token, recoveryCodes };
}

/** The authenticator app that the person proved to have; null: none is needed or given. */
function readTotp(
  { now }: AcceptDeps,
  { totpSecret, code }: Acceptance,
  { needsSecondFactor }: FoundInvitation,
): Readonly<{ secret: string; lastStep: bigint }> | null {
  if (totpSecret === null) {
    if (needsSecondFactor) throw broken('totpSecret', 'REQUIRED');
    return null;
  }
  if (!isTotpSecret(totpSecret)) throw broken('totpSecret', 'INVALID_TEXT');
  if (code === null) throw broken('code', 'REQUIRED');
  const lastStep = findTotpStep(totpSecret, code.replace(/\s/g, ''), now());
  if (lastStep === undefined) throw broken('code', 'INVALID_CODE');
  return { secret: totpSecret, lastStep };
}

function broken(field: string, code: Parameters<typeof fieldProblem>[1]): Error {
  return refuse('VALIDATION_ERROR', { fields: [fieldProblem(field, code)] });
}

/** Another invitation to the same address was accepted at the same moment. */
function accountWasMade(): Error {
  return refuse('INVALID_STATE', {
    message:
      'An account with this address was made a moment ago. Open the link again and sign in with its password.',
  });
}

type NewPerson = Readonly<{
  id: string;
  name: string;
  email: string;
  passwordHash: string;
  isForAdministrator: boolean;
  at: Date;
}>;

async function storePerson(tx: Queryable, person: NewPerson): Promise<void> {
  const { id, name, email, passwordHash, at, isForAdministrator } = person;
  const values = [id, name, email, passwordHash, at, isForAdministrator];
  const stored = await tx.query(STORE, values);
  if (stored.length === 0) throw accountWasMade();
}

/**
 * Keeps the invitation open until the transaction ends. Of two who accept it at once, the second finds it ended; so does
 * one whose inviter loses the right to invite at this moment.
 */
async function holdInvitation(
  tx: Queryable,
  { now }: AcceptDeps,
  { invitation, personId }: Readonly<{ invitation: FoundInvitation; personId: string }>,
): Promise<void> {
  const held = await lockTeam(tx, invitation.team);
  const [open] = await tx.query<{ invited_by: string | null }>(FIND_OPEN, [invitation.id, now()]);
  const inviterId = open?.invited_by ?? null;
  if (open === undefined || !(await counts(tx, invitation, { held, inviterId, personId }))) {
    throw refuse('INVITATION_NOT_FOUND');
  }
}

/**
 * Whether an invitation still gives its roles. One of the staff to a merchant does while the merchant has no owner and its
 * sender may still invite the first one. One that an admin sent to themselves does only for roles that they still have.
 */
async function counts(
  tx: Queryable,
  { team: { merchantId }, roles }: FoundInvitation,
  {
    held,
    inviterId,
    personId,
  }: Readonly<{ held: readonly HeldRole[]; inviterId: string | null; personId: string }>,
): Promise<boolean> {
  if (inviterId === null) return true;
  if (merchantId === null) {
    return inviterId !== personId || !isNewRole(held, { personId, wanted: roles });
  }
  const hasOwner = held.some(({ role, bookId }) => role === 'owner' && bookId === null);
  if (!hasOwner) return mayInviteFirstOwner(tx, inviterId);
  return mayInMerchant(rolesOf(held, inviterId).filter(isGivenRole), 'people:write');
}

/** Ends the invitation and gives what it promised. */
async function finish(
  tx: Queryable,
  deps: AcceptDeps,
  given: Readonly<{
    invitation: FoundInvitation;
    person: Readonly<{ id: string; name: string; email: string }>;
  }>,
): Promise<void> {
  const { invitation, person } = given;
  const { team, roles } = invitation;
  const at = deps.now();
  await tx.query(END, [invitation.id, at, person.id]);
  await giveRoles(tx, team, { personId: person.id, roles });
  await recordAct(tx, deps, {
    actor: {
      kind: 'person',
      id: person.id,
      name: person.name,
      ...(team.merchantId === null ? {} : { merchantId: team.merchantId }),
    },
    kind: 'INVITATION_ACCEPTED',
    subject: invitation.id,
    merchantId: team.merchantId,
    reason: null,
    before: null,
    after: { name: person.name, email: person.email, roles: describeRoles(roles) },
  });
}

// An administrator with a key, or a person whose account was closed, is there already and keeps the name that is on record.
// Either may have changed since the invitation was read: a person whose account was closed may have a role by now.
const STORE: Statement = {
  name: '',
  text: `
    insert into people (id, name, email, password_hash, created_at) values ($1, $2, $3, $4, $5)
    on conflict (id) do update
    set email = excluded.email, password_hash = excluded.password_hash, removed_at = null
    where case when $6 then ${cannotSignIn('people')} else ${isClosed('people')} end
    returning id`,
};

const FIND_OPEN: Statement = {
  name: '',
  text: 'select invited_by from invitations where id = $1 and ended_at is null and expires_at > $2',
};

const END: Statement = {
  name: '',
  text: `
    update invitations set ended_at = $2, ended_as = 'accepted', accepted_by = $3
    where id = $1 and ended_at is null`,
};
