import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Statement } from '../postgres/database.ts';
import { endSessionsOf } from './end-sessions.ts';
import type { PasswordHasher } from './hash-password.ts';
import { PASSWORD_LENGTH_MAX, refuseWeakPassword } from './password-rules.ts';
import type { PeopleDeps } from './people-deps.ts';
import type { PersonSession } from './session.ts';
import { createSessionToken } from './session-token.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

type ChangeDeps = PeopleDeps & Readonly<{ passwords: PasswordHasher; attempts: SignInAttempts }>;

type PasswordChange = Readonly<{
  actor: PersonActor;
  session: Pick<PersonSession, 'id' | 'person'>;
  current: string;
  password: string;
  address: string;
}>;

/**
 * Changes a person's own password and ends all other sessions: one of them may be the reason. This one goes on with the
 * token that is returned, so that a copy of its cookie ends, too.
 */
export async function changePassword(deps: ChangeDeps, change: PasswordChange): Promise<string> {
  const { actor, session, current, password, address } = change;
  const { person } = session;
  refuseWeakPassword(password, person);
  const attempt = { email: person.email, address };
  if (!(await deps.attempts.beginStepUp(attempt))) throw refuse('SIGN_IN_FAILED');
  const [row] = await deps.directory.query<{ password_hash: string | null }>(FIND, [person.id]);
  const stored =
    current.length > PASSWORD_LENGTH_MAX ? undefined : (row?.password_hash ?? undefined);
  if (!(await deps.passwords.verify(stored === undefined ? '' : current, stored))) {
    throw refuse('SIGN_IN_FAILED');
  }
  const hash = await deps.passwords.hash(password);
  const token = createSessionToken(deps.randomBytes);
  await deps.directory.transaction(async (tx) => {
    const changed = await tx.query(CHANGE, [person.id, hash, stored]);
    if (changed.length === 0) throw refuse('SIGN_IN_FAILED');
    const ended = { personId: person.id, exceptId: session.id, at: deps.now() };
    const sessionsEnded = await endSessionsOf(tx, ended);
    const renewed = await tx.query(RENEW, [session.id, token.hash]);
    if (renewed.length === 0) throw refuse('UNAUTHORIZED');
    await recordAct(tx, deps, {
      actor,
      kind: 'PASSWORD_CHANGED',
      subject: person.id,
      merchantId: null,
      reason: null,
      before: null,
      after: { sessionsEnded },
    });
  });
  await deps.attempts.succeed(attempt, 'step-up');
  return token.text;
}

const RENEW: Statement = {
  name: '',
  text: 'update sessions set token_hash = $2 where id = $1 and ended_at is null returning id',
};

const FIND: Statement = {
  name: '',
  text: 'select password_hash from people where id = $1 and removed_at is null',
};

/** Of two changes at once, the second finds another password than it was given. */
const CHANGE: Statement = {
  name: '',
  text: `
    update people set password_hash = $2
    where id = $1 and password_hash = $3 and removed_at is null
    returning id`,
};
