import { createHash } from 'node:crypto';
import { readByteSequence, readDictionary, writeByteSequence } from './structured-dictionary.ts';

const HASH_NAMES = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

export type DigestAlgorithm = keyof typeof HASH_NAMES;

const DIGEST_ALGORITHMS = Object.keys(HASH_NAMES) as readonly DigestAlgorithm[];

function hash(algorithm: DigestAlgorithm, body: Buffer): Buffer {
  return createHash(HASH_NAMES[algorithm]).update(body).digest();
}

/** The Content-Digest header of a body, computed over the bytes as sent. */
export function contentDigest(algorithm: DigestAlgorithm, body: Buffer): string {
  return `${algorithm}=${writeByteSequence(hash(algorithm, body))}`;
}

/** True when the header has at least one digest of a supported algorithm, and all such digests match. */
export function digestMatches(header: string, body: Buffer): boolean {
  const members = readDictionary(header);
  let matched = 0;
  for (const algorithm of DIGEST_ALGORITHMS) {
    const written = members.get(algorithm);
    if (written === undefined) continue;
    if (readByteSequence(written)?.equals(hash(algorithm, body)) !== true) return false;
    matched += 1;
  }
  return matched > 0;
}
