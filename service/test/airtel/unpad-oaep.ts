/** Reads OAEP with two hashes, for which Node's OpenSSL has no option. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

export function unpadOaep(
  block: Buffer,
  { labelHash, maskHash }: Readonly<{ labelHash: string; maskHash: string }>,
): Buffer {
  const label = createHash(labelHash).digest();
  assert.equal(block[0], 0, 'the first byte');
  const maskedSeed = block.subarray(1, 1 + label.length);
  const maskedData = block.subarray(1 + label.length);
  const seed = unmask(maskedSeed, maskedData, maskHash);
  const data = unmask(maskedData, seed, maskHash);
  assert.ok(data.subarray(0, label.length).equals(label), 'the hash of the label');
  const rest = data.subarray(label.length);
  const start = rest.findIndex((byte) => byte !== 0);
  assert.equal(rest[start], 1, 'the byte before the message');
  return rest.subarray(start + 1);
}

function unmask(masked: Buffer, seed: Buffer, hash: string): Buffer {
  const size = createHash(hash).digest().length;
  const plain = Buffer.from(masked);
  for (let index = 0; index < plain.length; index += 1) {
    const counter = Buffer.from(Uint32Array.of(Math.floor(index / size)).buffer).swap32();
    const mask = createHash(hash).update(seed).update(counter).digest();
    plain[index] = (plain[index] ?? 0) ^ (mask[index % size] ?? 0);
  }
  return plain;
}
