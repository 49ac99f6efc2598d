import { constants, generateKeyPairSync } from 'node:crypto';
import type { SignatureAlgorithm } from '../../src/operators/pawapay/http-signature.ts';

export const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const P384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
export const RSA = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const OTHER_P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const PAIRS = {
  'ecdsa-p256-sha256': P256,
  'ecdsa-p384-sha384': P384,
  'rsa-v1_5-sha256': RSA,
  'rsa-pss-sha512': RSA,
} as const;
export const HASHES = {
  'ecdsa-p256-sha256': 'SHA256',
  'ecdsa-p384-sha384': 'SHA384',
  'rsa-v1_5-sha256': 'RSA-SHA256',
  'rsa-pss-sha512': 'RSA-SHA512',
} as const;

/** The parameters of the crypto module besides the key, in the form of its other interface. */
export function extras(algorithm: SignatureAlgorithm, form: 'der' | 'ieee-p1363') {
  if (algorithm === 'rsa-pss-sha512') {
    return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 };
  }
  return algorithm === 'rsa-v1_5-sha256' ? {} : { dsaEncoding: form };
}
