import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const makeKeyPair = promisify(generateKeyPair);

/**
 * The operator's private key, kept in a file: callers keep the public key for a long time, and a
 * restarted operator must still be able to decrypt what they send.
 */
export async function loadOrMakeKey(path: string, modulusBits: number): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return makeKey(path, modulusBits);
}

/** Makes a new key that replaces the old one. */
export async function makeKey(path: string, modulusBits: number): Promise<KeyObject> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: modulusBits });
  await mkdir(dirname(path), { recursive: true });
  // Renamed when complete: a partly written key file would keep the operator from starting.
  const unfinished = `${path}.new`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(unfinished, pem, { mode: 0o600, flush: true });
  await rename(unfinished, path);
  return privateKey;
}

/** The public key as callers get it: base64 of the SPKI, without PEM header and footer. */
export function publicKeyBase64(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}
