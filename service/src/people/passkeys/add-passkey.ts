import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { recordAct } from '../../acts/record-act.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { type Queryable, type Statement, violatedConstraint } from '../../postgres/database.ts';
import { takeChallenge } from '../challenge.ts';
import { hasAnyFactor, type Passkey } from '../find-factors.ts';
import { lockPerson } from '../lock-person.ts';
import { noteSecondFactor } from '../step-up.ts';
import { ALGORITHMS, type PasskeyDeps } from './create-challenge.ts';
import type { NewCredential } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';

/** A phone, a computer, a security key and its spare, and some more. */
const PASSKEYS_MAX = 10;

export type PasskeyAdded = Readonly<{
  actor: PersonActor;
  sessionId: string;
  /** The person has shown a second factor just now. */
  isSteppedUp: boolean;
  relyingParty: RelyingParty;
  challengeId: string;
  credential: NewCredential;
  name: string;
}>;

/**
 * Adds a passkey to a person. A session without a fresh second factor can add only the first one. To make the passkey is to show
 * a second factor, so the session counts as stepped up.
 */
export async function addPasskey(deps: PasskeyDeps, added: PasskeyAdded): Promise<Passkey> {
  const { actor, name } = added;
  await refuseUnlessSteppedUp(deps.directory, actor.id, added.isSteppedUp);
  const made = await verify(deps, added);
  const id = deps.newId();
  const at = deps.now();
  await deps.directory.transaction(async (tx) => {
    await lockPerson(tx, { personId: actor.id, sessionId: added.sessionId });
    await refuseUnlessSteppedUp(tx, actor.id, added.isSteppedUp);
    const [row] = await tx.query<{ count: number }>(COUNT, [actor.id]);
    if ((row?.count ?? 0) >= PASSKEYS_MAX) throw refuse('INVALID_STATE', TOO_MANY);
    const values = [id, actor.id, made.credentialId, made.publicKey, made.counter, name, at];
    await tx.query(STORE, values).catch(refuseKnown);
    await noteSecondFactor(tx, { sessionId: added.sessionId, at });
    await recordAct(tx, deps, {
      actor,
      kind: 'PASSKEY_ADDED',
      subject: id,
      merchantId: null,
      reason: null,
      before: null,
      after: { name },
    });
  });
  return { id, name, createdAt: at, lastUsedAt: null };
}

/** The first factor needs none before it. */
export async function refuseUnlessSteppedUp(
  directory: Queryable,
  personId: string,
  isSteppedUp: boolean,
): Promise<void> {
  if (isSteppedUp) return;
  if (await hasAnyFactor(directory, personId)) throw refuse('STEP_UP_REQUIRED');
}

async function verify(deps: PasskeyDeps, { actor, relyingParty, ...answer }: PasskeyAdded) {
  const { challengeId, credential } = answer;
  const challenge = await takeChallenge(deps, {
    id: challengeId,
    purpose: 'add_passkey',
    personId: actor.id,
  });
  if (challenge === undefined) throw broken('challengeId', 'It was used, or is too old.');
  const { registrationInfo } = await verifyRegistrationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: credential.clientDataJSON,
        attestationObject: credential.attestationObject,
      },
    },
    expectedChallenge: Buffer.from(challenge.value).toString('base64url'),
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws if anything does not fit: type, challenge, origin, flags, algorithm.
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) throw broken('credential', 'It does not fit the challenge.');
  const { id, publicKey, counter } = registrationInfo.credential;
  return { credentialId: Buffer.from(id, 'base64url'), publicKey, counter };
}

function broken(field: string, why: string): Refusal {
  const problem = fieldProblem(field, 'INVALID_TEXT', `${why} Ask for options again.`);
  return refuse('VALIDATION_ERROR', { fields: [problem] });
}

function refuseKnown(error: unknown): never {
  if (violatedConstraint(error) === 'passkeys_credential_id_key') {
    throw refuse('INVALID_STATE', KNOWN);
  }
  throw error;
}

const TOO_MANY = { message: `You have ${PASSKEYS_MAX} passkeys. Remove one first.` };
const KNOWN = { message: 'This passkey was added before. Use it as it is.' };

const COUNT: Statement = {
  name: '',
  text: 'select count(*)::integer as count from passkeys where person_id = $1',
};

const STORE: Statement = {
  name: '',
  text: `
    insert into passkeys (id, person_id, credential_id, public_key, counter, name, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`,
};
