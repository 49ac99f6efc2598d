import { refuse } from '../domain/refusal.ts';
import type { Statement } from '../postgres/database.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics, SignInResult } from '../telemetry/metrics.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { createSession } from './create-session.ts';
import { hasAnyFactor } from './find-factors.ts';
import type { PasswordHasher } from './hash-password.ts';
import { PASSWORD_LENGTH_MAX } from './password-rules.ts';
import type { PeopleDeps } from './people-deps.ts';
import { readEmail } from './read-email.ts';
import type { SignInAttempt, SignInAttempts } from './sign-in-attempts.ts';

export type SignInDeps = PeopleDeps &
  Readonly<{
    passwords: PasswordHasher;
    attempts: SignInAttempts;
    metrics: Pick<Metrics, 'countSignIn'>;
    logger: Pick<Logger, 'info'>;
  }>;

/** As a person typed it. */
export type SignIn = Readonly<{
  email: string;
  password: string;
  /** Of TOTP, or a recovery code. */
  code: string | undefined;
  address: string;
  userAgent: string;
  /** The session cookie that the browser had before. */
  replacedToken: string | undefined;
}>;

/**
 * Begins a session by e-mail address, password and, where the person has a second factor, a code. Everything that is
 * wrong is the same refusal after the same work.
 */
export async function signIn(
  deps: SignInDeps,
  given: SignIn,
): Promise<Readonly<{ token: string }>> {
  const { address, userAgent, replacedToken } = given;
  const email = readEmail(given.email) ?? '';
  const attempt: SignInAttempt = { email, address };
  if (!(await deps.attempts.begin(attempt))) throw fail(deps, attempt, 'waiting');
  const person = await checkPassword(deps, attempt, given.password);
  if (person === undefined) throw fail(deps, attempt, 'wrong_password');
  const personId = person.id;
  const hasSecondFactor = await hasAnyFactor(deps.directory, personId);
  if (hasSecondFactor) {
    const { code } = given;
    if (code === undefined) throw fail(deps, attempt, 'wrong_code', personId);
    if (!(await deps.attempts.beginCode(attempt))) throw fail(deps, attempt, 'waiting', personId);
    const shown = await checkSecondFactor(deps, { personId, code });
    if (shown === undefined) throw fail(deps, attempt, 'wrong_code', personId);
  }
  const { token } = await createSession(deps, {
    personId,
    hasSecondFactor,
    address,
    userAgent,
    replacedToken,
    passwordHash: person.passwordHash,
  });
  await deps.attempts.succeed(attempt, 'sign-in');
  deps.metrics.countSignIn('succeeded');
  deps.logger.info({ personId, address }, 'signed in');
  return { token };
}

type KnownPerson = Readonly<{ id: string; passwordHash: string }>;

async function checkPassword(
  { directory, passwords, attempts }: SignInDeps,
  attempt: SignInAttempt,
  password: string,
): Promise<KnownPerson | undefined> {
  const [row] = await directory.query<{ id: string; password_hash: string }>(FIND, [attempt.email]);
  const isTooLong = password.length > PASSWORD_LENGTH_MAX;
  const stored = isTooLong ? undefined : row?.password_hash;
  try {
    const isRight = await passwords.verify(isTooLong ? '' : password, stored);
    return isRight && row !== undefined
      ? { id: row.id, passwordHash: row.password_hash }
      : undefined;
  } catch (error) {
    // Too many people sign in at once: that is not this one's failure.
    await attempts.undo(attempt);
    throw error;
  }
}

/** The log has no e-mail address: people type passwords into that field. */
function fail(
  { metrics, logger }: SignInDeps,
  { address }: SignInAttempt,
  result: Exclude<SignInResult, 'succeeded'>,
  personId?: string,
): Error {
  metrics.countSignIn(result);
  logger.info({ status: 401, outcome: result, address, personId }, 'sign-in failed');
  return refuse('SIGN_IN_FAILED');
}

const FIND: Statement = {
  name: 'find-person-by-email',
  text: `
    select id, password_hash from people
    where email = $1 and removed_at is null and password_hash is not null`,
};
