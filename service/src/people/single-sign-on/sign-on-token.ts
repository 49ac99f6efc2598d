import { createHmac, hash } from 'node:crypto';
import { parseUuid } from '../../domain/uuid.ts';
import type { SignOnSecrets } from './issuer.ts';

const SECRET_BYTES = 32;
const WELL_FORMED = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

/** Binds single sign-on to the browser in which it began. */
export type SignOnToken = Readonly<{
  challengeId: string;
  /** What is stored. */
  hash: Buffer;
  secrets: SignOnSecrets;
}>;

/** The cookie's value. State, nonce and PKCE verifier are derived from it, so it is all that the browser keeps. */
export function createSignOnToken(
  challengeId: string,
  randomBytes: (size: number) => Uint8Array,
): string {
  return `${challengeId}.${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')}`;
}

/** Undefined: it is no such value. */
export function readSignOnToken(text: string): SignOnToken | undefined {
  const [, id = '', secret = ''] = WELL_FORMED.exec(text) ?? [];
  const challengeId = parseUuid(id);
  if (challengeId === undefined) return undefined;
  const derive = (what: string) => createHmac('sha256', secret).update(what).digest('base64url');
  return {
    challengeId,
    hash: hash('sha256', secret, 'buffer'),
    secrets: { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') },
  };
}
