import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, it } from 'node:test';
import { unpadOaep } from '../../../test/airtel/unpad-oaep.ts';
import { encryptPin, PADDINGS, type Padding } from './encrypt-pin.ts';

const PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const WIDER = generateKeyPairSync('rsa', { modulusLength: 3_072 });

function decrypt(padding: Padding, sealed: string, key = PAIR.privateKey): string {
  const bytes = Buffer.from(sealed, 'base64');
  if (padding === 'oaep-sha256-mgf1sha1') {
    const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes);
    return unpadOaep(block, { labelHash: 'sha256', maskHash: 'sha1' }).toString('utf8');
  }
  if (padding === 'pkcs1') {
    // OpenSSL may answer a wrong PKCS#1 block with random bytes, so the test checks the block itself.
    const block = privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, bytes);
    assert.deepEqual([...block.subarray(0, 2)], [0, 2]);
    return block.subarray(block.indexOf(0, 2) + 1).toString('utf8');
  }
  const oaepHash = padding === 'oaep-sha1' ? 'sha1' : 'sha256';
  return privateDecrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash },
    bytes,
  ).toString('utf8');
}

/** Undefined where it is no block of this padding. One OAEP block in 256 begins as a PKCS#1 block does. */
function tryToDecrypt(padding: Padding, sealed: string): string | undefined {
  try {
    return decrypt(padding, sealed);
  } catch {
    return undefined;
  }
}

describe('the encrypted PIN', () => {
  for (const padding of PADDINGS) {
    it(`can be decrypted with the private key: ${padding}`, () => {
      for (let count = 0; count < 10; count += 1) {
        const sealed = encryptPin({ publicKey: PAIR.publicKey, padding }, '0829');
        assert.equal(Buffer.from(sealed, 'base64').length, 256);
        assert.equal(decrypt(padding, sealed), '0829');
      }
    });

    it(`works with other key lengths: ${padding}`, () => {
      const sealed = encryptPin({ publicKey: WIDER.publicKey, padding }, '0829');
      assert.equal(decrypt(padding, sealed, WIDER.privateKey), '0829');
    });

    it(`differs each time: ${padding}`, () => {
      const seal = (): string => encryptPin({ publicKey: PAIR.publicKey, padding }, '0829');
      assert.notEqual(seal(), seal());
    });
  }

  it('is unreadable under another padding than its own', () => {
    for (const padding of PADDINGS) {
      const sealed = encryptPin({ publicKey: PAIR.publicKey, padding }, '0829');
      for (const other of PADDINGS.filter((each) => each !== padding)) {
        assert.notEqual(tryToDecrypt(other, sealed), '0829', `${padding} was read as ${other}`);
      }
    }
  });

  it('accepts a text up to the length of the block and refuses a longer one', () => {
    const encryption = { publicKey: PAIR.publicKey, padding: 'oaep-sha256-mgf1sha1' } as const;
    const longest = 'x'.repeat(256 - 2 * 32 - 2);
    assert.equal(decrypt('oaep-sha256-mgf1sha1', encryptPin(encryption, longest)), longest);
    assert.throws(() => encryptPin(encryption, `${longest}x`), /too long/);
  });

  it('is unpadded by this test as OpenSSL pads it, for the hashes that OpenSSL supports', () => {
    // The code that unpads two hashes must itself be right, so it is tested with blocks made by OpenSSL.
    for (const hash of ['sha1', 'sha256'] as const) {
      const padding = hash === 'sha1' ? 'oaep-sha1' : 'oaep-sha256-mgf1sha256';
      const sealed = Buffer.from(
        encryptPin({ publicKey: PAIR.publicKey, padding }, '0829'),
        'base64',
      );
      const block = privateDecrypt(
        { key: PAIR.privateKey, padding: constants.RSA_NO_PADDING },
        sealed,
      );
      assert.equal(unpadOaep(block, { labelHash: hash, maskHash: hash }).toString(), '0829');
    }
  });
});
