import { constants, createHash, type KeyObject, privateDecrypt } from 'node:crypto';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** RFC 8017: the random part of a PKCS#1 v1.5 block has at least eight bytes, none of them zero. */
const PKCS1_RANDOM_BYTES_MIN = 8;

/**
 * The padded block of an RSA ciphertext in base64, or null. The functions below remove the padding,
 * because Node cannot set the second hash of OAEP and, since CVE-2023-46809, refuses PKCS#1 v1.5.
 */
export function openSealedBlock(privateKey: KeyObject, sealedBase64: string): Buffer | null {
  if (sealedBase64 === '' || !BASE64.test(sealedBase64)) return null;
  const sealed = Buffer.from(sealedBase64, 'base64');
  // One that lacks a leading zero is the same number, and still malformed.
  if (sealed.length * 8 !== privateKey.asymmetricKeyDetails?.modulusLength) return null;
  try {
    return privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, sealed);
  } catch {
    return null;
  }
}

/** `00 02`, random bytes, `00`, the message. */
export function openPkcs1(block: Buffer): Buffer | null {
  if (block[0] !== 0 || block[1] !== 2) return null;
  const end = block.indexOf(0, 2);
  return end >= 2 + PKCS1_RANDOM_BYTES_MIN ? block.subarray(end + 1) : null;
}

export type OaepHashes = Readonly<{ labelHash: string; maskHash: string }>;

/** `00`, the masked seed, then, masked too: the empty label's hash, zeros, `01`, the message. */
export function openOaep(block: Buffer, { labelHash, maskHash }: OaepHashes): Buffer | null {
  const expected = createHash(labelHash).digest();
  const size = expected.length;
  if (block[0] !== 0 || block.length < 2 * size + 2) return null;
  const maskedSeed = block.subarray(1, 1 + size);
  const maskedRest = block.subarray(1 + size);
  const seed = xor(maskedSeed, maskOf(maskedRest, { lengthBytes: size, hash: maskHash }));
  const lengthBytes = maskedRest.length;
  const rest = xor(maskedRest, maskOf(seed, { lengthBytes, hash: maskHash }));
  if (!rest.subarray(0, size).equals(expected)) return null;
  const end = rest.findIndex((byte, index) => index >= size && byte !== 0);
  return end >= 0 && rest[end] === 1 ? rest.subarray(end + 1) : null;
}

/** MGF1: concatenated hashes of the seed and a counter. */
function maskOf(
  seed: Buffer,
  { lengthBytes, hash }: Readonly<{ lengthBytes: number; hash: string }>,
): Buffer {
  const blocks: Buffer[] = [];
  for (let madeBytes = 0; madeBytes < lengthBytes; ) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(blocks.length);
    const block = createHash(hash).update(seed).update(counter).digest();
    blocks.push(block);
    madeBytes += block.length;
  }
  return Buffer.concat(blocks).subarray(0, lengthBytes);
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
