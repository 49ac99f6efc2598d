import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const makeKeyPair = promisify(generateKeyPair);

/**
 * The operator's private key, kept in a file: callers hold the public half for long, and an
 * operator that was killed and started again must still be able to read what they send.
 */
export async function loadOrMakeKey(path: string, modulusBits: number): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return makeKey(path, modulusBits);
}

/** A new key in the place of the old one. */
export async function makeKey(path: string, modulusBits: number): Promise<KeyObject> {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: modulusBits });
  await mkdir(dirname(path), { recursive: true });
  // Whole or not at all: a torn key file would keep the operator from starting.
  const unfinished = `${path}.new`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(unfinished, pem, { mode: 0o600, flush: true });
  await rename(unfinished, path);
  return privateKey;
}

/** The public half as callers get it: base64 of the SPKI, without the PEM armour. */
export function publicKeyBase64(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}
