import assert from 'node:assert/strict';
import { generateKeyPairSync, publicEncrypt } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { openOaep, openPkcs1 } from '../kernel/rsa-blocks.ts';
import { seal, sign } from './airtel-caller.ts';
import { checkSignature } from './message-signature.ts';
import { PADDINGS, unseal } from './unseal.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('decrypting', () => {
  it('decrypts any text under any of the four paddings, and returns which one it was', () => {
    // 190 bytes fit beside the largest padding: 256 - 2 * 32 - 2.
    const text = fc.string({ maxLength: 190 }).filter((made) => Buffer.byteLength(made) <= 190);
    fc.assert(
      fc.property(text, fc.constantFrom(...PADDINGS), (made, padding) => {
        assert.deepEqual(unseal(privateKey, seal(publicKey, made, padding)), {
          text: made,
          padding,
        });
      }),
      { numRuns: 100 },
    );
  });

  it('returns null for what was encrypted for another key', () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    assert.equal(unseal(privateKey, seal(other, '4321', 'oaep-sha1')), null);
    assert.equal(unseal(privateKey, seal(other, '4321', 'oaep-sha256-mgf1sha256')), null);
  });

  it('returns null for what is not base64 of one block', () => {
    let sealed: Buffer;
    // Without its first byte, a zero, it is the same number.
    do sealed = Buffer.from(seal(publicKey, '4321', 'pkcs1'), 'base64');
    while (sealed[0] !== 0);
    for (const broken of [
      '',
      '4321',
      'not base64!',
      sealed.toString('hex'),
      sealed.subarray(1).toString('base64'),
      Buffer.concat([sealed, sealed]).toString('base64'),
    ]) {
      assert.equal(unseal(privateKey, broken), null, broken);
    }
  });

  it('refuses a label, which the scheme leaves empty', () => {
    for (const oaepHash of ['sha1', 'sha256']) {
      const labelled = { key: publicKey, oaepHash, oaepLabel: Buffer.from('pin') };
      const sealed = publicEncrypt(labelled, Buffer.from('4321'));
      assert.equal(unseal(privateKey, sealed.toString('base64')), null);
    }
  });

  it('refuses a label hash that the scheme does not name', () => {
    const sealed = publicEncrypt({ key: publicKey, oaepHash: 'sha512' }, Buffer.from('4321'));
    assert.equal(unseal(privateKey, sealed.toString('base64')), null);
  });
});

describe('a padded block', () => {
  it('of PKCS#1 needs eight random bytes before the message', () => {
    const block = (randomBytes: number) =>
      Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(randomBytes, 7), Buffer.from([0, 65])]);
    assert.equal(openPkcs1(block(7)), null);
    assert.equal(openPkcs1(block(8))?.toString(), 'A');
    assert.equal(openPkcs1(Buffer.alloc(256, 2)), null);
    assert.equal(openPkcs1(Buffer.from([0, 1, ...Buffer.alloc(20, 255), 0, 65])), null);
  });

  it('of OAEP is refused when its first byte is not zero', () => {
    const hashes = { labelHash: 'sha1', maskHash: 'sha1' };
    assert.equal(openOaep(Buffer.alloc(256, 1), hashes), null);
    assert.equal(openOaep(Buffer.alloc(20), hashes), null);
  });
});

describe('a message signature', () => {
  const body = Buffer.from('{"a":1}');

  it('matches the body that was signed, whichever padding the key has', () => {
    for (const padding of PADDINGS) {
      const headers = sign(publicKey, body.toString(), padding);
      const check = checkSignature(privateKey, {
        body,
        sealedKey: headers['x-key'],
        signature: headers['x-signature'],
      });
      assert.deepEqual(check, { kind: 'matches', keyPadding: padding });
    }
  });

  it('does not match the same JSON serialized in other bytes', () => {
    const headers = sign(publicKey, '{ "a": 1 }', 'oaep-sha1');
    const check = checkSignature(privateKey, {
      body,
      sealedKey: headers['x-key'],
      signature: headers['x-signature'],
    });
    assert.equal(check.kind, 'differs');
  });

  it('needs a key of 32 bytes, an IV of 16, and nothing else', () => {
    const key = Buffer.alloc(32).toString('base64');
    const iv = Buffer.alloc(16).toString('base64');
    const short = Buffer.alloc(15).toString('base64');
    for (const together of [key, `${key}:${short}`, `${iv}:${key}`, `${key}:${iv}:${iv}`, '']) {
      const sealedKey = seal(publicKey, together, 'oaep-sha1');
      const check = checkSignature(privateKey, { body, sealedKey, signature: 'x' });
      assert.equal(check.kind, 'differs', together);
    }
  });

  it('counts as missing when either header is missing', () => {
    const check = checkSignature(privateKey, { body, sealedKey: undefined, signature: 'x' });
    assert.equal(check.kind, 'missing');
  });
});
