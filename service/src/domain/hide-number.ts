import { maskPhone } from './phone-number.ts';

const COUNTRY_CODE_LENGTH = 4;
/** Separators between the digits of a number as people write it. */
const GAP = '[ ().-]{0,2}';

/**
 * Masks one number wherever a text has it: with its country code, with a leading zero, or bare, and
 * with gaps between its digits. Other long numbers stay, since they may be the operator's receipt.
 */
export function hideNumber(
  phone: string,
  mask: (phone: string) => string = maskPhone,
): (text: string) => string {
  const code = Array.from(phone.slice(1, COUNTRY_CODE_LENGTH)).join(GAP);
  const national = Array.from(phone.slice(COUNTRY_CODE_LENGTH)).join(GAP);
  const spelling = new RegExp(`(?:\\+?${code}${GAP}|0${GAP})?${national}`, 'g');
  const masked = mask(phone);
  return (text) => text.replace(spelling, masked);
}
