import type { KeyObject } from 'node:crypto';
import { contentDigest, type DigestAlgorithm } from './content-digest.ts';
import { type EcdsaEncoding, type SignatureAlgorithm, signBase } from './signature-algorithms.ts';
import { type SignedMessage, signatureBase } from './signature-base.ts';
import { writeByteSequence } from './structured-dictionary.ts';

export const SIGNATURE_LABEL = 'sig-pp';

export const COVERED_COMPONENTS = [
  '@method',
  '@authority',
  '@path',
  'signature-date',
  'content-digest',
  'content-type',
] as const;

/** How long a signature is valid, as in the documented example. */
const SIGNATURE_LIFE_SECONDS = 60;

export type MessageSigner = Readonly<{
  keyId: string;
  privateKey: KeyObject;
  algorithm: SignatureAlgorithm;
  encoding: EcdsaEncoding;
  digest: DigestAlgorithm;
}>;

type UnsignedMessage = Readonly<{
  method: string;
  authority: string;
  path: string;
  contentType: string;
  body: Buffer;
}>;

/** The headers of a signed message, including Content-Type, which the signature covers. */
export function signMessage(
  signer: MessageSigner,
  message: UnsignedMessage,
  now: Date,
): Readonly<Record<string, string>> {
  const covered = {
    'content-type': message.contentType,
    'content-digest': contentDigest(signer.digest, message.body),
    'signature-date': now.toISOString(),
  };
  const written = signatureParameters(signer, now);
  const signed: SignedMessage = { ...message, headers: covered };
  const base = signatureBase({ components: COVERED_COMPONENTS, written }, signed);
  if (base === undefined) throw new Error('a covered component has no value');
  const key = { ...signer, key: signer.privateKey };
  return {
    ...covered,
    'signature-input': `${SIGNATURE_LABEL}=${written}`,
    signature: `${SIGNATURE_LABEL}=${writeByteSequence(signBase(key, base))}`,
  };
}

function signatureParameters({ algorithm, keyId }: MessageSigner, now: Date): string {
  const components = COVERED_COMPONENTS.map((name) => `"${name}"`).join(' ');
  const created = Math.floor(now.getTime() / 1_000);
  const expires = created + SIGNATURE_LIFE_SECONDS;
  return `(${components});alg="${algorithm}";keyid="${keyId}";created=${created};expires=${expires}`;
}
