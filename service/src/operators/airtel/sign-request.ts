import { createCipheriv, randomBytes } from 'node:crypto';
import { type Encryption, encryptPin } from './encrypt-pin.ts';

const KEY_BYTES = 32;
const IV_BYTES = 16;

export type Signature = Readonly<{ 'x-signature': string; 'x-key': string }>;

/**
 * Airtel's message signing: the body encrypted with a one-time key, and that key encrypted for Airtel. It is valid for
 * exactly these bytes, so the body must be sent unchanged.
 */
export function signRequest(encryption: Encryption, body: string): Signature {
  const key = randomBytes(KEY_BYTES);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const encrypted = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
  return {
    'x-signature': encrypted.toString('base64'),
    'x-key': encryptPin(encryption, `${key.toString('base64')}:${iv.toString('base64')}`),
  };
}
