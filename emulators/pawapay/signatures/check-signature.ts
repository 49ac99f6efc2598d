import type { KeyObject } from 'node:crypto';
import { digestMatches } from './content-digest.ts';
import { COVERED_COMPONENTS, SIGNATURE_LABEL } from './sign-message.ts';
import {
  baseIsSigned,
  type EcdsaEncoding,
  isSignatureAlgorithm,
  keySuits,
} from './signature-algorithms.ts';
import { type SignedMessage, signatureBase } from './signature-base.ts';
import { readSignatureInput, type SignatureInput } from './signature-input.ts';
import { readByteSequence, readDictionary } from './structured-dictionary.ts';

/** How far the sender's clock may be ahead of ours. */
const CLOCK_AHEAD_MAX_SECONDS = 60;

type CheckSignatureDeps = Readonly<{
  /** Public keys by their id. */
  keys: ReadonlyMap<string, KeyObject>;
  encodings: readonly EcdsaEncoding[];
  now: Date;
}>;

/** Describes the fault of a request's signature; undefined: it is valid. */
export function findSignatureFault(
  deps: CheckSignatureDeps,
  message: SignedMessage & Readonly<{ body: Buffer }>,
): string | undefined {
  const { headers, body } = message;
  const written = readDictionary(headers['signature-input'] ?? '').get(SIGNATURE_LABEL);
  const signature = readDictionary(headers.signature ?? '').get(SIGNATURE_LABEL);
  if (written === undefined || signature === undefined) return `No ${SIGNATURE_LABEL} signature.`;
  const input = readSignatureInput(written);
  if (input === undefined) return 'Signature-Input could not be read.';
  return (
    findCoverageFault(input) ??
    findDateFault(input, headers['signature-date'], deps.now) ??
    (digestMatches(headers['content-digest'] ?? '', body)
      ? undefined
      : 'Content-Digest is not that of the body.') ??
    findKeyFault(deps, { input, message, signature: readByteSequence(signature) })
  );
}

function findCoverageFault({ components }: SignatureInput): string | undefined {
  const missing = COVERED_COMPONENTS.filter((name) => !components.includes(name));
  return missing.length === 0 ? undefined : `The signature does not cover ${missing.join(', ')}.`;
}

function findDateFault(
  { parameters }: SignatureInput,
  signatureDate: string | undefined,
  now: Date,
): string | undefined {
  const created = parameters.get('created');
  const expires = parameters.get('expires');
  const nowSeconds = now.getTime() / 1_000;
  if (typeof created !== 'number' || typeof expires !== 'number') {
    return 'The signature does not say when it was created and when it expires.';
  }
  if (created > nowSeconds + CLOCK_AHEAD_MAX_SECONDS) return 'The signature is from the future.';
  if (expires <= nowSeconds) return 'The signature has expired.';
  return Number.isNaN(Date.parse(signatureDate ?? '')) ? 'Signature-Date is no date.' : undefined;
}

function findKeyFault(
  { keys, encodings }: CheckSignatureDeps,
  signed: Readonly<{
    input: SignatureInput;
    message: SignedMessage;
    signature: Buffer | undefined;
  }>,
): string | undefined {
  const { input, message, signature } = signed;
  const algorithm = input.parameters.get('alg');
  const key = keys.get(String(input.parameters.get('keyid')));
  if (!isSignatureAlgorithm(algorithm)) return 'The algorithm of the signature is not supported.';
  if (key === undefined) return 'The key of the signature is not known.';
  if (!keySuits(algorithm, key)) return 'The key is not one for that algorithm.';
  if (signature === undefined) return 'Signature could not be read.';
  const base = signatureBase(input, message);
  if (base === undefined) return 'A covered component is missing from the request.';
  const isSigned = encodings.some((encoding) =>
    baseIsSigned({ algorithm, key, encoding }, base, signature),
  );
  return isSigned ? undefined : 'The signature is wrong.';
}
