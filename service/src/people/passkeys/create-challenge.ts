import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { refuse } from '../../domain/refusal.ts';
import type { Database } from '../../postgres/database.ts';
import { type ChallengePurpose, storeChallenge } from '../challenge.ts';
import { listCredentialIds, userHandleOf } from './passkey.ts';
import { RELYING_PARTY_NAME, type RelyingParty } from './relying-party.ts';

/** How long the browser's dialogue stays open. */
const DIALOGUE_MS = 2 * 60_000;
const CHALLENGE_BYTES = 32;
/** EdDSA, ES256 and RS256 as COSE numbers them: what every device has one of. */
export const ALGORITHMS = [-8, -7, -257];

export type PasskeyDeps = Readonly<{
  directory: Database;
  now: () => Date;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
}>;

/** A challenge, and what the browser is asked to do with it. */
type Asked<Options> = Readonly<{ challengeId: string; options: Options }>;

/** Asks for any passkey of this console: the device says whose it is. */
export function createSignInChallenge(
  deps: PasskeyDeps,
  relyingParty: RelyingParty,
): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
  return ask(deps, { purpose: 'passkey_sign_in', personId: null, relyingParty, allowed: [] });
}

/** Asks a person for a passkey of theirs. */
export async function createStepUpChallenge(
  deps: PasskeyDeps,
  { personId, relyingParty }: Readonly<{ personId: string; relyingParty: RelyingParty }>,
): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
  const allowed = await listCredentialIds(deps.directory, personId);
  if (allowed.length === 0) throw refuse('INVALID_STATE', NO_PASSKEY);
  return ask(deps, { purpose: 'passkey_step_up', personId, relyingParty, allowed });
}

const NO_PASSKEY = { message: 'You have no passkey. Use a code, or add a passkey first.' };

/** Asks a person's device to make a passkey that it can find again without being told whose. */
export async function createPasskeyChallenge(
  deps: PasskeyDeps,
  {
    person,
    relyingParty,
  }: Readonly<{
    person: Readonly<{ id: string; name: string; email: string }>;
    relyingParty: RelyingParty;
  }>,
): Promise<Asked<PublicKeyCredentialCreationOptionsJSON>> {
  const known = await listCredentialIds(deps.directory, person.id);
  const { id, value } = await newChallenge(deps, { purpose: 'add_passkey', personId: person.id });
  const options = await generateRegistrationOptions({
    rpName: RELYING_PARTY_NAME,
    rpID: relyingParty.id,
    userID: new Uint8Array(userHandleOf(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: value,
    timeout: DIALOGUE_MS,
    attestationType: 'none',
    excludeCredentials: known.map((credentialId) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { challengeId: id, options };
}

type Question = Readonly<{
  purpose: ChallengePurpose;
  personId: string | null;
  relyingParty: RelyingParty;
  allowed: readonly string[];
}>;

async function ask(deps: PasskeyDeps, { purpose, personId, relyingParty, allowed }: Question) {
  const { id, value } = await newChallenge(deps, { purpose, personId });
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: value,
    timeout: DIALOGUE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map((credentialId) => ({ id: credentialId })),
  });
  return { challengeId: id, options };
}

async function newChallenge(
  deps: PasskeyDeps,
  { purpose, personId }: Pick<Question, 'purpose' | 'personId'>,
) {
  const id = deps.newId();
  const value = new Uint8Array(deps.randomBytes(CHALLENGE_BYTES));
  await storeChallenge(deps, { id, purpose, personId, value, returnTo: null });
  return { id, value };
}
