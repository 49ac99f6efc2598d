import assert from 'node:assert/strict';
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { it } from 'node:test';
import { signRequest } from './sign-request.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

function readKey(sealed: string): { key: Buffer; iv: Buffer } {
  const plain = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    Buffer.from(sealed, 'base64'),
  );
  assert.equal(plain.length, 69);
  const [key = '', iv = ''] = plain.toString('ascii').split(':');
  return { key: Buffer.from(key, 'base64'), iv: Buffer.from(iv, 'base64') };
}

it('a signature is the encrypted body, under a key that only Airtel can decrypt', () => {
  const body = '{"pin":"a+/=","payee":{"name":"Zoë 🙂"}}';
  const { 'x-signature': signature, 'x-key': sealed } = signRequest(
    { publicKey, padding: 'oaep-sha1' },
    body,
  );
  const { key, iv } = readKey(sealed);
  assert.deepEqual([key.length, iv.length], [32, 16]);
  const decipher = createDecipheriv('aes-256-cbc', key, iv);
  const opened = Buffer.concat([decipher.update(signature, 'base64'), decipher.final()]);
  assert.equal(opened.toString('utf8'), body);
});

it('every request is signed with its own key and vector', () => {
  const seal = () => readKey(signRequest({ publicKey, padding: 'oaep-sha1' }, '{}')['x-key']);
  const [first, second] = [seal(), seal()];
  assert.ok(!first.key.equals(second.key));
  assert.ok(!first.iv.equals(second.iv));
});
