import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { hasAnyFactor } from './find-factors.ts';
import type { PeopleDeps } from './people-deps.ts';
import type { PersonSession } from './session.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';
import { vouchBySession } from './vouch-by-session.ts';

type StepUpDeps = PeopleDeps & Readonly<{ attempts: SignInAttempts }>;

/** Shows the second factor again, by a code. Returns when. */
export async function stepUp(
  deps: StepUpDeps,
  session: Pick<PersonSession, 'id' | 'person'>,
  { code, address }: Readonly<{ code: string; address: string }>,
): Promise<Date> {
  const { id: personId, email } = session.person;
  if (!(await hasAnyFactor(deps.directory, personId))) throw refuse('SECOND_FACTOR_REQUIRED');
  const attempt = { email, address };
  if (!(await deps.attempts.beginStepUp(attempt))) throw refuse('SIGN_IN_FAILED');
  if ((await checkSecondFactor(deps, { personId, code })) === undefined) {
    throw refuse('SIGN_IN_FAILED');
  }
  await deps.attempts.succeed(attempt, 'step-up');
  const shown = { sessionId: session.id, at: deps.now() };
  await deps.directory.transaction(async (tx) => {
    await vouchBySession(tx, shown);
    await noteSecondFactor(tx, shown);
  });
  return shown.at;
}

/** The person of the session has just shown a second factor. */
export async function noteSecondFactor(
  directory: Queryable,
  { sessionId, at }: Readonly<{ sessionId: string; at: Date }>,
): Promise<void> {
  await directory.query(NOTE, [sessionId, at]);
}

const NOTE: Statement = {
  name: 'note-second-factor',
  text: 'update sessions set has_second_factor = true, stepped_up_at = $2 where id = $1 and ended_at is null',
};
