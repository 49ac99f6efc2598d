import { createCipheriv, type KeyObject } from 'node:crypto';
import { type Padding, unseal } from './unseal.ts';

const AES_KEY_BYTES = 32;
const AES_IV_BYTES = 16;

export type SignatureCheck =
  | Readonly<{ kind: 'matches'; keyPadding: Padding }>
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'differs'; why: string }>;

/**
 * `x-key` is base64 of RSA over `base64(key):base64(iv)`; `x-signature` is base64 of AES-256-CBC
 * over the body. The received bytes are encrypted again and compared, so the same JSON serialized in
 * other bytes does not match.
 */
export function checkSignature(
  privateKey: KeyObject,
  message: Readonly<{
    body: Buffer;
    sealedKey: string | undefined;
    signature: string | undefined;
  }>,
): SignatureCheck {
  const { body, sealedKey, signature } = message;
  if (sealedKey === undefined || signature === undefined) return { kind: 'missing' };
  const opened = unseal(privateKey, sealedKey);
  if (opened === null) return { kind: 'differs', why: 'x-key cannot be decrypted' };
  const [keyBase64, ivBase64, ...more] = opened.text.split(':');
  const key = Buffer.from(keyBase64 ?? '', 'base64');
  const iv = Buffer.from(ivBase64 ?? '', 'base64');
  if (key.length !== AES_KEY_BYTES || iv.length !== AES_IV_BYTES || more.length > 0) {
    return { kind: 'differs', why: 'x-key is not an AES-256 key, a colon and an IV' };
  }
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const expected = Buffer.concat([cipher.update(body), cipher.final()]).toString('base64');
  return expected === signature
    ? { kind: 'matches', keyPadding: opened.padding }
    : { kind: 'differs', why: 'x-signature is not this body encrypted' };
}
