import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { PeopleDeps } from './people-deps.ts';
import { createSessionToken, readSessionToken } from './session-token.ts';

/** A session ends after this time, however often it is used. */
const SESSION_MAX_MS = 12 * 60 * 60_000;
/** Sessions are kept this long after they began: a person may ask from where they signed in. */
const SESSION_KEPT_MS = 90 * 24 * 60 * 60_000;
/** Of one person, the newest: what signs in again and again fills no table, and each open one can be listed. */
const SESSIONS_OF_PERSON_MAX = 100;
/** As the columns. */
const ADDRESS_LENGTH_MAX = 60;
const USER_AGENT_LENGTH_MAX = 300;

export type SessionStart = Readonly<{
  personId: string;
  /** A second factor was shown, by TOTP, a passkey or a recovery code. */
  hasSecondFactor: boolean;
  /** The client's address. */
  address: string;
  userAgent: string;
  /** The cookie that the browser had before; that session ends. */
  replacedToken?: string | undefined;
  /** The hash that the password was compared with, where it was; one that was changed since begins no session. */
  passwordHash?: string;
  /** The issuer of single sign-on vouched for the person. */
  isSingleSignOn?: boolean;
  /** The passkey that was shown, where one was; one that was removed since begins no session. */
  passkeyId?: string;
}>;

type SessionDeps = Pick<PeopleDeps, 'directory' | 'now' | 'newId' | 'randomBytes'>;

/** Begins a session of a person who proved who they are. The token is always new, so that none can be planted. */
export async function createSession(
  deps: SessionDeps,
  start: SessionStart,
): Promise<Readonly<{ token: string }>> {
  const { personId, hasSecondFactor, isSingleSignOn = false } = start;
  const { address, userAgent, replacedToken } = start;
  const token = createSessionToken(deps.randomBytes);
  const at = deps.now();
  const replaced = replacedToken === undefined ? undefined : readSessionToken(replacedToken);
  await deps.directory.transaction(async (tx) => {
    await keepProof(tx, start);
    if (replaced !== undefined) await tx.query(END_REPLACED, [replaced, at]);
    await tx.query(FORGET_OLD, [
      personId,
      new Date(at.getTime() - SESSION_KEPT_MS),
      SESSIONS_OF_PERSON_MAX - 1,
    ]);
    await tx.query(INSERT, [
      deps.newId(),
      token.hash,
      personId,
      hasSecondFactor,
      address.slice(0, ADDRESS_LENGTH_MAX) || 'unknown',
      userAgent.slice(0, USER_AGENT_LENGTH_MAX),
      at,
      new Date(at.getTime() + SESSION_MAX_MS),
      isSingleSignOn,
    ]);
  });
  return { token: token.text };
}

/** The person stays until the transaction ends, with that by which they proved who they are. */
async function keepProof(
  tx: Queryable,
  { personId, passwordHash, passkeyId }: SessionStart,
): Promise<void> {
  const present = await tx.query(KEEP_PERSON, [personId, passwordHash ?? null]);
  if (present.length === 0) throw refuse('SIGN_IN_FAILED');
  if (passkeyId === undefined) return;
  const kept = await tx.query(FIND_PASSKEY, [passkeyId, personId]);
  if (kept.length === 0) throw refuse('SIGN_IN_FAILED');
}

/** Until the transaction ends: a password that is changed meanwhile then ends this session, too. */
const KEEP_PERSON: Statement = {
  name: '',
  text: `
    select id from people
    where id = $1 and removed_at is null and email is not null and ($2::text is null or password_hash = $2)
    for share`,
};

// After the lock of the person, which all take that remove one.
const FIND_PASSKEY: Statement = {
  name: '',
  text: 'select id from passkeys where id = $1 and person_id = $2',
};

const END_REPLACED: Statement = {
  name: '',
  text: 'update sessions set ended_at = $2 where token_hash = $1 and ended_at is null',
};

const FORGET_OLD: Statement = {
  name: '',
  text: `
    delete from sessions
    where person_id = $1 and (
      created_at < $2
      or id in (
        select id from sessions where person_id = $1 order by created_at desc, id desc offset $3
      )
    )`,
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into sessions (
      id, token_hash, person_id, has_second_factor, address, user_agent, created_at, last_used_at, expires_at,
      by_single_sign_on
    )
    values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)`,
};
