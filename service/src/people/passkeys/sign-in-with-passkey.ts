import { refuse } from '../../domain/refusal.ts';
import { createSession, type SessionStart } from '../create-session.ts';
import { noteSecondFactor } from '../step-up.ts';
import { vouchBySession } from '../vouch-by-session.ts';
import type { PasskeyDeps } from './create-challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { type AnsweredChallenge, notePasskeyUse, verifyAssertion } from './verify-assertion.ts';

/** A passkey is password and second factor in one: the device asked for a finger, a face or a PIN. It is no step-up. */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  {
    relyingParty,
    answered,
    start,
  }: Readonly<{
    relyingParty: RelyingParty;
    answered: AnsweredChallenge;
    start: Pick<SessionStart, 'address' | 'userAgent' | 'replacedToken'>;
  }>,
): Promise<Readonly<{ token: string }>> {
  const asked = { purpose: 'passkey_sign_in', personId: null, relyingParty } as const;
  const passkey = await verifyAssertion(deps, asked, answered);
  if (passkey === undefined) throw refuse('SIGN_IN_FAILED', FAILED);
  const isFirstUse = await notePasskeyUse(deps.directory, { ...passkey, at: deps.now() });
  if (!isFirstUse) throw refuse('SIGN_IN_FAILED', FAILED);
  const { id: passkeyId, personId } = passkey;
  const proof = { personId, passkeyId, hasSecondFactor: true };
  return createSession(deps, { ...start, ...proof });
}

/** Shows a passkey again in an open session. Returns when. */
export async function stepUpWithPasskey(
  deps: PasskeyDeps,
  {
    relyingParty,
    answered,
    session,
  }: Readonly<{
    relyingParty: RelyingParty;
    answered: AnsweredChallenge;
    session: Readonly<{ id: string; person: Readonly<{ id: string }> }>;
  }>,
): Promise<Date> {
  const personId = session.person.id;
  const asked = { purpose: 'passkey_step_up', personId, relyingParty } as const;
  const passkey = await verifyAssertion(deps, asked, answered);
  if (passkey === undefined) throw refuse('SIGN_IN_FAILED', FAILED);
  const at = deps.now();
  const shown = { sessionId: session.id, at };
  await deps.directory.transaction(async (tx) => {
    await vouchBySession(tx, shown);
    const isFirstUse = await notePasskeyUse(tx, { ...passkey, at });
    if (!isFirstUse) throw refuse('SIGN_IN_FAILED', FAILED);
    await noteSecondFactor(tx, shown);
  });
  return at;
}

const FAILED = {
  message: 'The passkey was not accepted. Try again, or use another way to sign in.',
};
