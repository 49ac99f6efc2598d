import { checkPlainText } from '../domain/plain-text.ts';

const EMAIL_LENGTH_MAX = 254;
/** Only the mail server knows which addresses exist; this finds what was typed into the wrong field. */
const PLAUSIBLE = /^[^\s@]+@[^\s@]+$/;

/** The address as it is stored, in lower case; undefined: it is none. */
export function readEmail(text: string): string | undefined {
  if (checkPlainText(text, { codePointsMax: EMAIL_LENGTH_MAX }) !== 'ok') return undefined;
  const email = text.trim().normalize('NFC').toLowerCase();
  return PLAUSIBLE.test(email) && email.length <= EMAIL_LENGTH_MAX ? email : undefined;
}
