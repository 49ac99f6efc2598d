import { constants, type KeyObject, publicEncrypt } from 'node:crypto';

/** Creates the bearer values: M-Pesa requires keys and session ids to be encrypted. */
export type PortalCipher = Readonly<{
  /** Randomly padded, so no two are equal. Undefined: too long for the key. */
  encrypt(text: string): string | undefined;
}>;

export function createPortalCipher(key: KeyObject): PortalCipher {
  return {
    encrypt(text) {
      try {
        // The platform decrypts PKCS#1 v1.5; OAEP would be refused.
        const options = { key, padding: constants.RSA_PKCS1_PADDING };
        return publicEncrypt(options, Buffer.from(text, 'utf8')).toString('base64');
      } catch {
        return undefined;
      }
    },
  };
}
