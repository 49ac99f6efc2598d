import type { KeyObject } from 'node:crypto';
import {
  contentDigest,
  DIGESTS,
  type Digest,
  SIGNATURE_ALGORITHMS,
  type SignatureAlgorithm,
  signatureBase,
  signBase,
} from './http-signature.ts';

/** The label that pawaPay looks for. */
export const SIGNATURE_LABEL = 'sig-pp';
/** Long enough for a slow network, too short to be useful if it leaks later. */
const SIGNATURE_LIFETIME_S = 60;

export type RequestSigner = Readonly<{
  key: KeyObject;
  keyId: string;
  algorithm: SignatureAlgorithm;
  digest: Digest;
}>;

/** The headers that sign a request; all other covered headers must be sent unchanged. */
export function signRequest(
  { key, keyId, algorithm, digest }: RequestSigner,
  request: Readonly<{
    method: string;
    authority: string;
    path: string;
    contentType: string;
    body: string;
    now: Date;
  }>,
): Record<string, string> {
  const signatureDate = request.now.toISOString();
  const digestHeader = contentDigest(request.body, digest);
  const components = [
    { name: '@method', value: request.method },
    { name: '@authority', value: request.authority },
    { name: '@path', value: request.path },
    { name: 'signature-date', value: signatureDate },
    { name: 'content-digest', value: digestHeader },
    { name: 'content-type', value: request.contentType },
  ];
  const names = components.map(({ name }) => `"${name}"`).join(' ');
  const createdS = Math.floor(request.now.getTime() / 1_000);
  const parameters =
    `(${names});alg="${algorithm}";keyid="${keyId}"` +
    `;created=${createdS};expires=${createdS + SIGNATURE_LIFETIME_S}`;
  const signature = signBase(signatureBase(components, parameters), { key, algorithm });
  return {
    'content-digest': digestHeader,
    'signature-date': signatureDate,
    'signature-input': `${SIGNATURE_LABEL}=${parameters}`,
    signature: `${SIGNATURE_LABEL}=:${signature}:`,
    'accept-signature': SIGNATURE_ALGORITHMS.join(','),
    'accept-digest': DIGESTS.join(','),
  };
}
