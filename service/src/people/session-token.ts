import { hash } from 'node:crypto';

/** 256 random bits. */
const TOKEN_BYTES = 32;
const WELL_FORMED = /^[A-Za-z0-9_-]{43}$/;

export type SessionToken = Readonly<{
  /** The cookie's value. Given to the browser once and never stored. */
  text: string;
  hash: Buffer;
}>;

export function createSessionToken(randomBytes: (size: number) => Uint8Array): SessionToken {
  const text = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return { text, hash: hash('sha256', text, 'buffer') };
}

/** The hash of a well-formed token; undefined for anything else. */
export function readSessionToken(text: string): Buffer | undefined {
  return WELL_FORMED.test(text) ? hash('sha256', text, 'buffer') : undefined;
}
