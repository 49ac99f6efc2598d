import { constants, type KeyObject, sign, verify } from 'node:crypto';

export const SIGNATURE_ALGORITHMS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
] as const;

export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

/**
 * RFC 9421 requires r and s concatenated; pawaPay's own samples encode them in DER, so DER is the
 * default. Some libraries follow the RFC.
 */
export type EcdsaEncoding = 'der' | 'raw';

type Suite = Readonly<{
  hash: 'sha256' | 'sha384' | 'sha512';
  curve: 'prime256v1' | 'secp384r1' | null;
  padding: number | null;
}>;

const SUITES: Readonly<Record<SignatureAlgorithm, Suite>> = {
  'ecdsa-p256-sha256': { hash: 'sha256', curve: 'prime256v1', padding: null },
  'ecdsa-p384-sha384': { hash: 'sha384', curve: 'secp384r1', padding: null },
  'rsa-v1_5-sha256': { hash: 'sha256', curve: null, padding: constants.RSA_PKCS1_PADDING },
  'rsa-pss-sha512': { hash: 'sha512', curve: null, padding: constants.RSA_PKCS1_PSS_PADDING },
};

const PSS_SALT_BYTES = 64;

export function isSignatureAlgorithm(value: unknown): value is SignatureAlgorithm {
  return SIGNATURE_ALGORITHMS.some((algorithm) => algorithm === value);
}

/** A key of another type or curve is never tried, because each key has one algorithm. */
export function keySuits(algorithm: SignatureAlgorithm, key: KeyObject): boolean {
  const { curve } = SUITES[algorithm];
  if (curve === null) return key.asymmetricKeyType === 'rsa';
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve;
}

function cryptoKey(algorithm: SignatureAlgorithm, key: KeyObject, encoding: EcdsaEncoding) {
  const { padding } = SUITES[algorithm];
  const dsaEncoding = encoding === 'der' ? ('der' as const) : ('ieee-p1363' as const);
  return padding === null
    ? { key, dsaEncoding }
    : { key, padding, ...(algorithm === 'rsa-pss-sha512' ? { saltLength: PSS_SALT_BYTES } : {}) };
}

export function signBase(
  signer: Readonly<{ algorithm: SignatureAlgorithm; key: KeyObject; encoding: EcdsaEncoding }>,
  base: string,
): Buffer {
  const { algorithm, key, encoding } = signer;
  return sign(SUITES[algorithm].hash, Buffer.from(base), cryptoKey(algorithm, key, encoding));
}

export function baseIsSigned(
  verifier: Readonly<{ algorithm: SignatureAlgorithm; key: KeyObject; encoding: EcdsaEncoding }>,
  base: string,
  signature: Buffer,
): boolean {
  const { algorithm, key, encoding } = verifier;
  const suit = cryptoKey(algorithm, key, encoding);
  return verify(SUITES[algorithm].hash, Buffer.from(base), suit, signature);
}
