import { hash } from 'node:crypto';

/** How many a person has. */
export const RECOVERY_CODES = 10;
/** 80 bits: too many to try, so a plain hash keeps them. */
const CODE_BYTES = 10;
const GROUP = /.{4}(?=.)/g;
/** Without letters and digits that look alike; 32 signs are 5 bits each. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const BITS_PER_SIGN = 5n;
const WELL_FORMED = new RegExp(`^[${ALPHABET}]{${(CODE_BYTES * 8) / Number(BITS_PER_SIGN)}}$`);

/** A code to write down, such as `k3mf-92hd-x7pa-tq4w`. */
export function createRecoveryCode(randomBytes: (size: number) => Uint8Array): string {
  let bits = BigInt(`0x${Buffer.from(randomBytes(CODE_BYTES)).toString('hex')}`);
  let code = '';
  for (let left = (CODE_BYTES * 8) / Number(BITS_PER_SIGN); left > 0; left -= 1) {
    code += ALPHABET[Number(bits & 31n)] ?? '';
    bits >>= BITS_PER_SIGN;
  }
  return code.replace(GROUP, '$&-');
}

/** The stored hash of a code, typed with or without spaces and dashes; undefined: it is no code. */
export function readRecoveryCode(text: string): Buffer | undefined {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return WELL_FORMED.test(code) ? hash('sha256', code, 'buffer') : undefined;
}
