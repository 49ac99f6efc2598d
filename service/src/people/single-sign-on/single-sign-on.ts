import { timingSafeEqual } from 'node:crypto';
import { refuse } from '../../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../../postgres/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { storeChallenge, takeChallenge } from '../challenge.ts';
import { createSession, type SessionStart } from '../create-session.ts';
import { hasShownSecondFactor } from './has-shown-second-factor.ts';
import { type Claims, type Issuer, IssuerUnavailable, SignOnRefused } from './issuer.ts';
import { resetUnvouched } from './reset-unvouched.ts';
import { createSignOnToken, readSignOnToken, type SignOnToken } from './sign-on-token.ts';

export type SingleSignOnDeps = Readonly<{
  directory: Database;
  issuer: Issuer;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
  logger: Logger;
}>;

/** Begins single sign-on in a browser: where it must go, and the token that it must bring back. */
export async function beginSingleSignOn(
  deps: SingleSignOnDeps,
  { redirectUri, returnTo }: Readonly<{ redirectUri: string; returnTo: string }>,
): Promise<Readonly<{ location: string; token: string }>> {
  const id = deps.newId();
  const token = createSignOnToken(id, deps.randomBytes);
  const { hash, secrets } = readOwn(token);
  const location = await deps.issuer.signInUrl(redirectUri, secrets).catch(refuseBroken(deps));
  const challenge = { id, purpose: 'single_sign_on', personId: null, value: hash } as const;
  await storeChallenge(deps, { ...challenge, returnTo });
  return { location: location.href, token };
}

export type SignOnAnswer = Readonly<{
  /** The address at which the browser came back, with its query. */
  answer: URL;
  /** What the browser brought; undefined: nothing. */
  token: string | undefined;
  start: Pick<SessionStart, 'address' | 'userAgent' | 'replacedToken'>;
}>;

/** Ends single sign-on: a session of the person whose verified address the issuer tells. No person is made. */
export async function finishSingleSignOn(
  deps: SingleSignOnDeps,
  { answer, token: text, start }: SignOnAnswer,
): Promise<Readonly<{ token: string; returnTo: string }>> {
  const token = text === undefined ? undefined : readSignOnToken(text);
  const returnTo = token === undefined ? undefined : await takeBegun(deps, token);
  if (token === undefined || returnTo === undefined) throw refuse('SIGN_IN_FAILED', NOT_BEGUN);
  const claims = await deps.issuer.readAnswer(answer, token.secrets).catch(refuseBroken(deps));
  const person = await findPerson(deps.directory, claims);
  if (person === undefined) throw refuse('SIGN_IN_FAILED', UNKNOWN);
  const proof = { personId: person.id, hasSecondFactor: hasShownSecondFactor(claims) };
  if (!person.isVouchedFor) await resetUnvouched(deps, proof);
  const session = await createSession(deps, { ...start, ...proof, isSingleSignOn: true });
  return { token: session.token, returnTo };
}

/** The page to go on with; undefined: this browser did not begin, or has ended already. */
async function takeBegun(
  deps: SingleSignOnDeps,
  { challengeId, hash }: SignOnToken,
): Promise<string | undefined> {
  const taken = await takeChallenge(deps, {
    id: challengeId,
    purpose: 'single_sign_on',
    personId: null,
  });
  if (taken === undefined || !timingSafeEqual(taken.value, hash)) return undefined;
  return taken.returnTo ?? undefined;
}

/** `isVouchedFor`: the issuer did so before. */
type FoundPerson = Readonly<{ id: string; isVouchedFor: boolean }>;

async function findPerson(directory: Queryable, claims: Claims): Promise<FoundPerson | undefined> {
  if (claims.email === null || !claims.isEmailVerified) return undefined;
  const [row] = await directory.query<PersonRow>(FIND, [claims.email.toLowerCase()]);
  return row && { id: row.id, isVouchedFor: row.vouched_at !== null };
}

type PersonRow = { id: string; vouched_at: Date | null };

function readOwn(text: string): SignOnToken {
  const token = readSignOnToken(text);
  if (token === undefined) throw new Error('the token that was just made is not well-formed');
  return token;
}

/** The cause goes to the log: it helps who runs the service, and tells an attacker too much. */
function refuseBroken({ logger }: SingleSignOnDeps) {
  return (error: unknown): never => {
    if (error instanceof IssuerUnavailable) {
      logger.warn({ err: error }, 'the issuer of single sign-on does not answer');
      throw refuse('UNAVAILABLE', UNAVAILABLE);
    }
    if (!(error instanceof SignOnRefused)) throw error;
    logger.info({ err: error }, 'single sign-on was refused');
    throw refuse('SIGN_IN_FAILED', REFUSED);
  };
}

const NOT_BEGUN = {
  message: 'This sign-in did not begin in this browser, or was used or too slow. Begin again.',
};
const UNKNOWN = {
  message:
    'The issuer does not vouch for an e-mail address of a person here. Ask for an invitation, or sign in another way.',
};
const REFUSED = { message: 'The answer of the issuer does not hold. Begin again.' };
const UNAVAILABLE = {
  message: 'Single sign-on does not answer now. Try again in a minute, or sign in another way.',
};

const FIND: Statement = {
  name: '',
  text: 'select id, vouched_at from people where email = $1 and removed_at is null',
};
