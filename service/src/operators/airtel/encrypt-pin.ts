import { constants, createHash, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';

/**
 * The paddings that Airtel's servers are known to accept for a PIN. The documentation names a Java transformation,
 * which leaves the hash of the mask open.
 */
export const PADDINGS = [
  'pkcs1',
  'oaep-sha1',
  'oaep-sha256-mgf1sha1',
  'oaep-sha256-mgf1sha256',
] as const;
export type Padding = (typeof PADDINGS)[number];

/** How to encrypt a text for Airtel. */
export type Encryption = Readonly<{ publicKey: KeyObject; padding: Padding }>;

/** Returns base64, the form in which both the PIN and the signing key are sent. */
export function encryptPin({ publicKey, padding }: Encryption, text: string): string {
  return encrypt(publicKey, padding, Buffer.from(text, 'utf8')).toString('base64');
}

function encrypt(key: KeyObject, padding: Padding, message: Buffer): Buffer {
  switch (padding) {
    case 'pkcs1':
      return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, message);
    case 'oaep-sha1':
      return publicEncrypt(
        { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
        message,
      );
    case 'oaep-sha256-mgf1sha256':
      return publicEncrypt(
        { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
        message,
      );
    case 'oaep-sha256-mgf1sha1':
      // Node uses one hash for both label and mask, so a block with two hashes is built by hand.
      return publicEncrypt(
        { key, padding: constants.RSA_NO_PADDING },
        padOaep(message, { blockBytes: modulusBytes(key), labelHash: 'sha256', maskHash: 'sha1' }),
      );
    default: {
      const unhandled: never = padding;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

function modulusBytes(key: KeyObject): number {
  return Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}

type Oaep = Readonly<{ blockBytes: number; labelHash: string; maskHash: string }>;

/** EME-OAEP of RFC 8017, 7.1.1, with an empty label. */
function padOaep(message: Buffer, { blockBytes, labelHash, maskHash }: Oaep): Buffer {
  const label = createHash(labelHash).digest();
  const dataBytes = blockBytes - label.length - 1;
  const zeros = dataBytes - label.length - 1 - message.length;
  if (zeros < 0) throw new RangeError('the text is too long for this key');
  const data = Buffer.concat([label, Buffer.alloc(zeros), Buffer.from([1]), message]);
  const seed = randomBytes(label.length);
  const maskedData = xor(data, mgf1(seed, dataBytes, maskHash));
  const maskedSeed = xor(seed, mgf1(maskedData, seed.length, maskHash));
  return Buffer.concat([Buffer.from([0]), maskedSeed, maskedData]);
}

/** MGF1 of RFC 8017, B.2.1. */
function mgf1(seed: Buffer, bytes: number, hash: string): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0, counter = 0; length < bytes; counter += 1) {
    const suffix = Buffer.alloc(4);
    suffix.writeUInt32BE(counter);
    const chunk = createHash(hash).update(seed).update(suffix).digest();
    chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
