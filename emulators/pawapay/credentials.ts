import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SignatureAlgorithm } from './signatures/signature-algorithms.ts';

type SigningKey = Readonly<{
  keyId: string;
  algorithm: SignatureAlgorithm;
  privateKeyPem: string;
  publicKeyPem: string;
}>;

/** The credentials that pawaPay's dashboard shows to, or gets from, the account's owner. */
export type PawapayCredentials = Readonly<{
  apiToken: string;
  /** At most two tokens may be active at once, so that a token can be replaced without a gap. */
  secondApiToken: string;
  /** May read everything, but not pay. */
  readOnlyToken: string;
  /** The merchant's key, with which requests are signed. */
  requestKey: SigningKey;
  /** pawaPay's key, with which callbacks are signed. */
  callbackKey: SigningKey;
}>;

type CredentialChoices = Readonly<{
  requestAlgorithm?: SignatureAlgorithm;
  callbackAlgorithm?: SignatureAlgorithm;
}>;

const OWNER_ONLY = 0o600;
const RSA_BITS = 2048;
const TOKEN_BYTES = 24;

const CALLBACK_KEY_IDS: Readonly<Record<SignatureAlgorithm, string>> = {
  'ecdsa-p256-sha256': 'HTTP_EC_P256_KEY:1',
  'ecdsa-p384-sha384': 'HTTP_EC_P384_KEY:1',
  'rsa-v1_5-sha256': 'HTTP_RSA_KEY:1',
  'rsa-pss-sha512': 'HTTP_RSA_KEY:1',
};

/** Makes new tokens and keys. Store them where a restarted emulator must be the same account. */
export function createPawapayCredentials(choices: CredentialChoices = {}): PawapayCredentials {
  const { requestAlgorithm = 'ecdsa-p256-sha256', callbackAlgorithm = 'ecdsa-p256-sha256' } =
    choices;
  return {
    apiToken: createToken('pay'),
    secondApiToken: createToken('pay'),
    readOnlyToken: createToken('read'),
    requestKey: createSigningKey('MERCHANT_KEY:1', requestAlgorithm),
    callbackKey: createSigningKey(CALLBACK_KEY_IDS[callbackAlgorithm], callbackAlgorithm),
  };
}

/** Looks like the dashboard's JSON web tokens, but only the emulator interprets it. */
function createToken(scope: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = randomBytes(TOKEN_BYTES).toString('base64url');
  return `${part({ alg: 'ES256', kid: '1' })}.${part({ tt: 'AAT', scope })}.${signature}`;
}

function createSigningKey(keyId: string, algorithm: SignatureAlgorithm): SigningKey {
  const { privateKey, publicKey } = createKeyPair(algorithm);
  return {
    keyId,
    algorithm,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}

function createKeyPair(algorithm: SignatureAlgorithm) {
  switch (algorithm) {
    case 'ecdsa-p256-sha256':
      return generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    case 'ecdsa-p384-sha384':
      return generateKeyPairSync('ec', { namedCurve: 'secp384r1' });
    case 'rsa-v1_5-sha256':
    case 'rsa-pss-sha512':
      return generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
    default: {
      const unhandled: never = algorithm;
      throw new Error(`unhandled algorithm ${String(unhandled)}`);
    }
  }
}

export function publicKeyOf({ publicKeyPem }: SigningKey): KeyObject {
  return createPublicKey(publicKeyPem);
}

export function privateKeyOf({ privateKeyPem }: SigningKey): KeyObject {
  return createPrivateKey(privateKeyPem);
}

/** Loads the credentials of an earlier run or makes new ones, so that a restarted emulator is the same account. */
export async function keepCredentials(path: string): Promise<PawapayCredentials> {
  await mkdir(dirname(path), { recursive: true });
  const created = createPawapayCredentials();
  try {
    await writeFile(path, JSON.stringify(created), { flag: 'wx', mode: OWNER_ONLY });
    return created;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const kept: PawapayCredentials = JSON.parse(await readFile(path, 'utf8'));
    return kept;
  }
}
