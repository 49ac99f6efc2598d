import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { type ChallengePurpose, takeChallenge } from '../challenge.ts';
import { type Assertion, userHandleOf } from './passkey.ts';
import type { RelyingParty } from './relying-party.ts';

export type AnsweredChallenge = Readonly<{ challengeId: string; assertion: Assertion }>;

/** A passkey that just signed our challenge. */
export type VerifiedPasskey = Readonly<{ id: string; personId: string; counter: number }>;

type Asked = Readonly<{
  purpose: ChallengePurpose;
  /** Null: of any person. */
  personId: string | null;
  relyingParty: RelyingParty;
}>;

/** Uses up the challenge; undefined: the answer proves nothing. */
export async function verifyAssertion(
  deps: Readonly<{ directory: Queryable; now: () => Date }>,
  { purpose, personId, relyingParty }: Asked,
  { challengeId, assertion }: AnsweredChallenge,
): Promise<VerifiedPasskey | undefined> {
  const challenge = await takeChallenge(deps, { id: challengeId, purpose, personId });
  if (challenge === undefined) return undefined;
  const credentialId = Buffer.from(assertion.credentialId, 'base64url');
  const [row] = await deps.directory.query<PasskeyRow>(FIND, [credentialId, personId]);
  if (row === undefined || !isOwner(row.person_id, assertion.userHandle, personId))
    return undefined;
  const counter = await verify(row, {
    assertion,
    relyingParty,
    challenge: Buffer.from(challenge.value).toString('base64url'),
  });
  return counter === undefined ? undefined : { id: row.id, personId: row.person_id, counter };
}

/**
 * Keeps the new counter; false: another answer of the same device came in between, or the passkey was removed. A device
 * that does not count says 0 each time.
 */
export async function notePasskeyUse(
  tx: Queryable,
  { id, counter, at }: Readonly<{ id: string; counter: number; at: Date }>,
): Promise<boolean> {
  const noted = await tx.query(NOTE_USE, [id, counter, at]);
  return noted.length === 1;
}

type PasskeyRow = { id: string; person_id: string; public_key: Buffer; counter: bigint };

/** A device that was asked for a passkey by its id need not name the person. */
function isOwner(ownerId: string, userHandle: string | null, askedId: string | null): boolean {
  if (userHandle === null) return askedId !== null;
  return userHandle === userHandleOf(ownerId).toString('base64url');
}

/** The new counter. The library throws if anything does not fit: type, challenge, origin, flags, counter. */
async function verify(
  row: PasskeyRow,
  {
    assertion: { credentialId, userHandle, ...response },
    relyingParty,
    challenge,
  }: Readonly<{ assertion: Assertion; relyingParty: RelyingParty; challenge: string }>,
): Promise<number | undefined> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        clientExtensionResults: {},
        response: { ...response, ...(userHandle === null ? {} : { userHandle }) },
      },
      expectedChallenge: challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}

const FIND: Statement = {
  name: '',
  text: `
    select k.id, k.person_id, k.public_key, k.counter
    from passkeys k
    join people p on p.id = k.person_id and p.removed_at is null and p.email is not null
    where k.credential_id = $1 and ($2::uuid is null or k.person_id = $2)`,
};

const NOTE_USE: Statement = {
  name: '',
  text: `
    update passkeys set counter = $2, last_used_at = $3
    where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
    returning id`,
};
