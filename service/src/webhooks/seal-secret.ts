import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** The maximum of opened secrets in memory, so that a busy endpoint's secret is not decrypted for each webhook. */
const OPENED_KEPT_MAX = 1_000;

/** AES-256-GCM with the nonce and tag sizes of NIST SP 800-38D. */
const CIPHER = 'aes-256-gcm';
export const SEALING_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SealingKey = Readonly<{
  /** Written in front of the sealed text, so that an older key is found again. */
  id: string;
  key: Uint8Array;
}>;

/**
 * Encrypts text that only this service may read again. The purpose is authenticated with it: what was sealed for one
 * purpose does not open for another.
 */
export type Sealer = Readonly<{
  seal(text: string, purpose: string): Uint8Array;
  /** Throws SealBroken when no key opens it. */
  open(sealed: Uint8Array, purpose: string): string;
  /** Whether it opens what was sealed with the key of this id. */
  hasKey(id: string): boolean;
}>;

/**
 * Derives separate keys for another use, by HKDF (RFC 5869). A leaked key of one use reveals nothing about the others,
 * and only one set of keys must be kept and rotated.
 */
export function deriveSealingKeys(keys: readonly SealingKey[], use: string): readonly SealingKey[] {
  return keys.map(({ id, key }) => ({
    id,
    key: new Uint8Array(hkdfSync('sha256', key, '', `kafue ${use}`, SEALING_KEY_BYTES)),
  }));
}

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/**
 * Seals with the first key and opens with any, so that keys can be rotated: put a new one in front, and keep the old
 * one as long as something is sealed with it.
 *
 * The layout is one byte for the length of the key's id, the id, the nonce, the text, the tag.
 */
export function createSealer(keys: readonly SealingKey[]): Sealer {
  const [current] = keys;
  if (current === undefined) throw new Error('there is no key to seal with');
  const keyById = new Map(keys.map(({ id, key }) => [id, key]));
  const opened = new Map<string, string>();

  return {
    seal(text, purpose) {
      const id = Buffer.from(current.id);
      // Not an argument: using a nonce twice would reveal the key.
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current.key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(purpose));
      const hidden = [cipher.update(text, 'utf8'), cipher.final()];
      return Buffer.concat([Uint8Array.of(id.length), id, nonce, ...hidden, cipher.getAuthTag()]);
    },
    open(sealed, purpose) {
      // The cache key contains the sealed bytes and the purpose: what was changed or moved is not found here, and
      // decrypting it fails.
      const entry = `${purpose}\0${Buffer.from(sealed).toString('latin1')}`;
      const known = opened.get(entry);
      if (known !== undefined) return known;
      const text = decipher(keyById, sealed, purpose);
      if (opened.size >= OPENED_KEPT_MAX) opened.clear();
      opened.set(entry, text);
      return text;
    },
    hasKey: (id) => keyById.has(id),
  };
}

function decipher(
  keyById: ReadonlyMap<string, Uint8Array>,
  sealed: Uint8Array,
  purpose: string,
): string {
  const { keyId, nonce, hidden, tag } = takeApart(sealed);
  const key = keyById.get(keyId);
  if (key === undefined) {
    throw new SealBroken(
      `It was sealed with the key ${keyId}, which is not there. Add that key to WEBHOOK_SECRET_KEYS, ` +
        'or put the file webhook-keys back into DATA_DIR.',
    );
  }
  try {
    const lock = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    lock.setAAD(Buffer.from(purpose)).setAuthTag(tag);
    return lock.update(hidden, undefined, 'utf8') + lock.final('utf8');
  } catch (error) {
    throw new SealBroken(`The key ${keyId} does not open it: it was changed or moved.`, {
      cause: error,
    });
  }
}

function takeApart(sealed: Uint8Array) {
  const idEnd = 1 + (sealed[0] ?? 0);
  const nonceEnd = idEnd + NONCE_BYTES;
  const tagAt = sealed.length - TAG_BYTES;
  if (tagAt < nonceEnd) throw new SealBroken('It is too short to have been sealed.');
  return {
    keyId: Buffer.from(sealed.subarray(1, idEnd)).toString('utf8'),
    nonce: sealed.subarray(idEnd, nonceEnd),
    hidden: sealed.subarray(nonceEnd, tagAt),
    tag: sealed.subarray(tagAt),
  };
}
