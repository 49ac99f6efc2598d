import { constants, type KeyObject, publicEncrypt } from 'node:crypto';

/** Makes the bearer values: M-Pesa wants its keys and session ids encrypted, never plain. */
export type PortalCipher = Readonly<{
  /** Padded at random, so no two are alike. Undefined: too long for the key. */
  encrypt(text: string): string | undefined;
}>;

export function createPortalCipher(key: KeyObject): PortalCipher {
  return {
    encrypt(text) {
      try {
        // PKCS#1 v1.5 is what the platform decrypts; OAEP would be refused.
        const options = { key, padding: constants.RSA_PKCS1_PADDING };
        return publicEncrypt(options, Buffer.from(text, 'utf8')).toString('base64');
      } catch {
        return undefined;
      }
    },
  };
}
