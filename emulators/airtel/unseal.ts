import type { KeyObject } from 'node:crypto';
import { type OaepHashes, openOaep, openPkcs1, openSealedBlock } from '../kernel/rsa-blocks.ts';

/**
 * The operator's documents name one padding and its integrators use four. The emulator decrypts all
 * of them and records which one it was.
 */
export const PADDINGS = [
  'pkcs1',
  'oaep-sha1',
  'oaep-sha256-mgf1sha1',
  'oaep-sha256-mgf1sha256',
] as const;
export type Padding = (typeof PADDINGS)[number];
export type Unsealed = Readonly<{ text: string; padding: Padding }>;

const OAEP: readonly (readonly [Padding, OaepHashes])[] = [
  ['oaep-sha256-mgf1sha256', { labelHash: 'sha256', maskHash: 'sha256' }],
  ['oaep-sha256-mgf1sha1', { labelHash: 'sha256', maskHash: 'sha1' }],
  ['oaep-sha1', { labelHash: 'sha1', maskHash: 'sha1' }],
];

/**
 * Decrypts base64 of an RSA ciphertext. OAEP is tried first, because its hash rules out a chance match,
 * while one OAEP block in 256 begins like a PKCS#1 block.
 */
export function unseal(privateKey: KeyObject, sealedBase64: string): Unsealed | null {
  const block = openSealedBlock(privateKey, sealedBase64);
  if (block === null) return null;
  for (const [padding, hashes] of OAEP) {
    const opened = openOaep(block, hashes);
    if (opened !== null) return { text: opened.toString(), padding };
  }
  const opened = openPkcs1(block);
  return opened === null ? null : { text: opened.toString(), padding: 'pkcs1' };
}
