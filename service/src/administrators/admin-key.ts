import { hash } from 'node:crypto';

/** A prefix by which people and secret scanners recognise the key. */
const PREFIX = 'adm_';
/** 192 random bits. */
const SECRET_BYTES = 24;
const WELL_FORMED = /^adm_[0-9a-f]{48}$/;

export type AdminKey = Readonly<{
  /** The key itself. Shown once, when it is created, and never stored. */
  text: string;
  hash: Buffer;
}>;

export function createAdminKey(randomBytes: (size: number) => Uint8Array): AdminKey {
  const text = PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('hex');
  return { text, hash: hashOf(text) };
}

/** The hash of a well-formed key; undefined for anything else. */
export function readAdminKey(text: string): Buffer | undefined {
  return WELL_FORMED.test(text) ? hashOf(text) : undefined;
}

// Without salt or stretching: 192 random bits cannot be guessed at any speed.
function hashOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
