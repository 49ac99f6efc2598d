import type { Queryable, Statement } from '../../postgres/database.ts';

/** What a device answers when it made a passkey. All fields are base64url. */
export type NewCredential = Readonly<{
  id: string;
  clientDataJSON: string;
  attestationObject: string;
}>;

/** What a device answers when it signed a challenge. All fields are base64url. */
export type Assertion = Readonly<{
  credentialId: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  /** The person that the device keeps with the passkey; null: it said none. */
  userHandle: string | null;
}>;

/** How browsers and devices know a person: the bytes of the id, which say nothing about the person. */
export function userHandleOf(personId: string): Buffer {
  return Buffer.from(personId.replaceAll('-', ''), 'hex');
}

/** What browsers call the passkeys of a person, in base64url. */
export async function listCredentialIds(directory: Queryable, personId: string): Promise<string[]> {
  const rows = await directory.query<{ credential_id: Buffer }>(LIST_CREDENTIALS, [personId]);
  return rows.map((row) => row.credential_id.toString('base64url'));
}

const LIST_CREDENTIALS: Statement = {
  name: '',
  text: 'select credential_id from passkeys where person_id = $1 order by created_at, id',
};
