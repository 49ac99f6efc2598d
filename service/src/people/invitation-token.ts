import { hash } from 'node:crypto';

/** 256 random bits. */
const TOKEN_BYTES = 32;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

export type SealedInvitation = Readonly<{
  /** The end of the link. Shown once to the inviter, and never stored. */
  text: string;
  hash: Buffer;
}>;

export function createInvitationToken(randomBytes: (size: number) => Uint8Array): SealedInvitation {
  const text = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return { text, hash: hashOf(text) };
}

/** The hash of a well-formed token; undefined for anything else. */
export function readInvitationToken(text: string): Buffer | undefined {
  return WELL_FORMED.test(text) ? hashOf(text) : undefined;
}

// The word keeps it apart from the hash of a session with the same text.
function hashOf(text: string): Buffer {
  return hash('sha256', `invitation ${text}`, 'buffer');
}
