import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import type { Country } from './operator.ts';

/** The longest spelling has 17 digits; the rest allows for separators. */
export const PHONE_LENGTH_MAX = 40;

const MASK_SHOWN_FIRST = 6;
const MASK_SHOWN_LAST = 3;
const MASKABLE_LENGTH_MIN = 12;

type NumberingPlan = Readonly<{ region: 'ZM' | 'NG'; callingCode: string; usual: RegExp }>;

// Every transfer passes here, and libphonenumber takes about 14 microseconds for a number, these patterns a fraction of
// one. The patterns only accept: what they do not match goes to the library, so a new prefix needs only a library
// update. A test compares all prefixes with the library.
const PLANS: Readonly<Record<Country, NumberingPlan>> = {
  zm: {
    region: 'ZM',
    callingCode: '260',
    usual: /^(?:\+260|(?:00)?260|0)?((?:[59][5-8]|7[5-9])[0-9]{7})$/,
  },
  ng: {
    region: 'NG',
    callingCode: '234',
    usual:
      /^(?:\+234|(?:00)?234|0)?((?:70[13-9]|7[12][0-9]|80[1-9]|81[0-8]|90[1-9]|91[0-6])[0-9]{7})$/,
  },
};

/** The E.164 form of `text` when it spells one valid mobile number of `country`. */
export function parsePhone(text: string, country: Country): string | undefined {
  const compact = withoutSeparators(text);
  if (compact === undefined) return undefined;
  const plan = PLANS[country];
  const national = plan.usual.exec(compact)?.[1];
  return national === undefined ? askLibrary(compact, plan) : `+${plan.callingCode}${national}`;
}

/** `+260977433571` becomes `+26097****571`: enough to recognise a known number, too little to dial it. */
export function maskPhone(e164: string): string {
  // A shorter text is not a valid number, and its two ends would show nearly all of it.
  if (e164.length < MASKABLE_LENGTH_MIN) return '****';
  return `${e164.slice(0, MASK_SHOWN_FIRST)}****${e164.slice(-MASK_SHOWN_LAST)}`;
}

const CALLING_CODE_LENGTH = 4;
const STAFF_SHOWN_FIRST = 6;
const STAFF_SHOWN_LAST = 4;

/**
 * `+260977433571` becomes `+260 97 ••• 3571`: what support compares with what a caller says. The whole number is shown
 * when a person asks for it, and that is recorded.
 */
export function maskPhoneForStaff(e164: string): string {
  if (e164.length < MASKABLE_LENGTH_MIN) return '•••';
  const code = e164.slice(0, CALLING_CODE_LENGTH);
  const first = e164.slice(CALLING_CODE_LENGTH, STAFF_SHOWN_FIRST);
  return `${code} ${first} ••• ${e164.slice(-STAFF_SHOWN_LAST)}`;
}

function askLibrary(compact: string, plan: NumberingPlan): string | undefined {
  // The library knows only the international prefix dialled inside the country (009 in Nigeria), but people write 00
  // everywhere.
  const international = `00${plan.callingCode}`;
  const spelling = compact.startsWith(international) ? `+${compact.slice(2)}` : compact;
  const parsed = parsePhoneNumberFromString(spelling, {
    defaultCountry: plan.region,
    extract: false,
  });
  // This build of the library knows mobile patterns only: valid means a valid mobile number.
  return parsed?.country === plan.region && parsed.isValid() ? parsed.number : undefined;
}

/**
 * Returns the digits with at most one leading plus. Drops spaces anywhere, hyphens and dots after the first digit, and
 * balanced parentheses that are not nested. Anything else is not a number.
 */
function withoutSeparators(text: string): string | undefined {
  if (text.length > PHONE_LENGTH_MAX) return undefined;
  if (/^\+?[0-9]+$/.test(text)) return text;
  let compact = '';
  let isParenthesisOpen = false;
  for (const character of text) {
    if (character >= '0' && character <= '9') compact += character;
    else if (character === '+' && compact === '') compact = '+';
    else if (character === '(' && !isParenthesisOpen) isParenthesisOpen = true;
    else if (character === ')' && isParenthesisOpen) isParenthesisOpen = false;
    else if (character === ' ') continue;
    else if ((character === '-' || character === '.') && /[0-9]/.test(compact)) continue;
    else return undefined;
  }
  return isParenthesisOpen ? undefined : compact;
}
