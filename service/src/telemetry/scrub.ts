import { maskPhone } from '../domain/phone-number.ts';

const API_KEY = /sk_(?:test|live)_\w*/g;
const ADMIN_KEY = /adm_[0-9a-f]*/g;
const WEBHOOK_SECRET = /whsec_[\w+/=]*/g;
/** Nine digits or more, also with single spaces, brackets or hyphens between them: this may be a phone number. */
const PHONE_LIKE = /\+?\d(?:[ ()-]?\d){8,14}/g;

/** Masks what looks like a key, a secret or a phone number in a text that we did not write. */
export function scrub(text: string): string {
  return text
    .replace(API_KEY, 'sk_****')
    .replace(ADMIN_KEY, 'adm_****')
    .replace(WEBHOOK_SECRET, 'whsec_****')
    .replace(PHONE_LIKE, (spelling) => maskPhone(spelling.replace(/[ ()-]/g, '')));
}
