import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** HTTP message signatures (RFC 9421) and digests (RFC 9530), as far as pawaPay uses them. */
export const SIGNATURE_ALGORITHMS = [
  'ecdsa-p256-sha256',
  'ecdsa-p384-sha384',
  'rsa-v1_5-sha256',
  'rsa-pss-sha512',
] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

export const DIGESTS = ['sha-256', 'sha-512'] as const;
export type Digest = (typeof DIGESTS)[number];

type Scheme = Readonly<{ hash: string; curve: string | null; pss: boolean; rawBytes: number }>;

const SCHEMES: Readonly<Record<SignatureAlgorithm, Scheme>> = {
  'ecdsa-p256-sha256': { hash: 'sha256', curve: 'prime256v1', pss: false, rawBytes: 64 },
  'ecdsa-p384-sha384': { hash: 'sha384', curve: 'secp384r1', pss: false, rawBytes: 96 },
  'rsa-v1_5-sha256': { hash: 'sha256', curve: null, pss: false, rawBytes: 0 },
  'rsa-pss-sha512': { hash: 'sha512', curve: null, pss: true, rawBytes: 0 },
};
const PSS_SALT_BYTES = 64;

export function isSignatureAlgorithm(text: string): text is SignatureAlgorithm {
  const words: readonly string[] = SIGNATURE_ALGORITHMS;
  return words.includes(text);
}

export function isKeyFor(key: KeyObject, algorithm: SignatureAlgorithm): boolean {
  const { curve } = SCHEMES[algorithm];
  return curve === null
    ? key.asymmetricKeyType === 'rsa'
    : key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === curve;
}

/** `"@method": POST` and so on, one line each, and the parameters last. */
export function signatureBase(
  components: readonly Readonly<{ name: string; value: string }>[],
  parameters: string,
): string {
  const lines = components.map(({ name, value }) => `"${name}": ${value}`);
  return [...lines, `"@signature-params": ${parameters}`].join('\n');
}

/** ECDSA in DER: RFC 9421 requires the two bare numbers, but pawaPay's own clients send DER. */
export function signBase(
  base: string,
  { key, algorithm }: Readonly<{ key: KeyObject; algorithm: SignatureAlgorithm }>,
): string {
  const { hash } = SCHEMES[algorithm];
  return sign(hash, Buffer.from(base), keyInput(key, algorithm, 'der')).toString('base64');
}

/** Accepts ECDSA in either form, because the documentation names one and the samples use the other. */
export function verifyBase(
  base: string,
  {
    key,
    algorithm,
    signature,
  }: Readonly<{ key: KeyObject; algorithm: SignatureAlgorithm; signature: Buffer }>,
): boolean {
  if (!isKeyFor(key, algorithm)) return false;
  const { hash, rawBytes } = SCHEMES[algorithm];
  const holds = (encoding: 'der' | 'ieee-p1363'): boolean => {
    try {
      return verify(hash, Buffer.from(base), keyInput(key, algorithm, encoding), signature);
    } catch {
      return false;
    }
  };
  return holds('der') || (signature.length === rawBytes && holds('ieee-p1363'));
}

function keyInput(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
  dsaEncoding: 'der' | 'ieee-p1363',
) {
  const { curve, pss } = SCHEMES[algorithm];
  if (curve !== null) return { key, dsaEncoding };
  return pss
    ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: PSS_SALT_BYTES }
    : { key, padding: constants.RSA_PKCS1_PADDING };
}

/** `sha-512=:…:` */
export function contentDigest(body: string | Buffer, digest: Digest): string {
  return `${digest}=:${digestOf(body, digest)}:`;
}

/** Every digest of a known algorithm must match, and there must be at least one. */
export function digestHolds(header: string, body: Buffer): boolean {
  const members = [...header.matchAll(/(?:^|,)[ \t]*(sha-256|sha-512)=:([0-9A-Za-z+/=]*):/g)];
  return (
    members.length > 0 &&
    members.every(([, name, value]) => {
      const digest = DIGESTS.find((known) => known === name);
      return digest !== undefined && digestOf(body, digest) === value;
    })
  );
}

function digestOf(body: string | Buffer, digest: Digest): string {
  return createHash(digest.replace('-', '')).update(body).digest('base64');
}

export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(withLines(pem));
  } catch {
    return undefined;
  }
}

export function readPublicKey(pem: string): KeyObject | undefined {
  try {
    // createPublicKey would also accept a private key; here it can only be a mistake.
    return pem.includes('PRIVATE KEY') ? undefined : createPublicKey(withLines(pem));
  } catch {
    return undefined;
  }
}

/** Environment variables often hold a PEM on one line, with `\n` for its line ends. */
function withLines(pem: string): string {
  return pem.replaceAll('\\n', '\n');
}
