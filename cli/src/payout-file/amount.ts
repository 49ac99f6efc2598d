/** Amounts are whole minor units (ngwee, kobo) in a bigint; sums of doubles would drift. */

const AMOUNT_MIN_MINOR = 1n;
/** 1,000,000,000.00 */
const AMOUNT_MAX_MINOR = 100_000_000_000n;
const MINOR_PER_MAJOR = 100n;
const MINOR_DIGITS = 2;
const PLAIN_AMOUNT = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$/;
/** Spreadsheets write a no-break space, U+00A0 or U+202F, between thousands. */
const THOUSANDS = /^[1-9][0-9]{0,2}(?:([, \u00a0\u202f])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]{1,2})?$/;
const SEPARATORS_OF_THOUSANDS = /[, \u00a0\u202f]/g;

/** The amount that a person wrote: `1250`, `1250.5`, `1250.50`, `1,250.00` or `1 250.00`. */
export function parseAmount(text: string): bigint | undefined {
  const parts = PLAIN_AMOUNT.exec(withoutThousands(text));
  if (parts === null) return undefined;
  const [, whole = '', fraction = ''] = parts;
  const amountMinor = BigInt(whole + fraction.padEnd(MINOR_DIGITS, '0'));
  const isInBounds = amountMinor >= AMOUNT_MIN_MINOR && amountMinor <= AMOUNT_MAX_MINOR;
  return isInBounds ? amountMinor : undefined;
}

function withoutThousands(text: string): string {
  return THOUSANDS.test(text) ? text.replace(SEPARATORS_OF_THOUSANDS, '') : text;
}

const FORM = 'Write it like 1250.50';
/** `0,500` or `0.500`: thousands are never grouped after a zero. */
const THOUSANDS_AFTER_ZERO =
  /^0[0-9]{0,2}(?:(?:([, \u00a0\u202f])[0-9]{3})(?:\1[0-9]{3})*(?:\.[0-9]+)?|(?:\.[0-9]{3})+(?:,[0-9]+)?)$/;

/** Why `parseAmount` refuses the text, and what to write instead. */
export function explainAmount(text: string): string {
  if (THOUSANDS_AFTER_ZERO.test(text)) {
    return 'It can be read in two ways. Write a dot before the decimals, such as 1250.50.';
  }
  const compact = text.replace(/[ \u00a0\u202f']/g, '');
  if (compact.startsWith('-')) return `${FORM}: a payout is never negative.`;
  if (/[a-z₦$€£]/i.test(compact)) return `${FORM}, without the currency.`;
  if (/^[0-9]+,[0-9]{1,2}$/.test(compact)) return explainDecimalComma(compact);
  // Dots between thousands and a comma before the decimals, as in much of Europe.
  if (/^[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}$/.test(compact)) {
    const meant = compact.replaceAll('.', '').replace(',', '.');
    return `Write ${meant}: a dot stands before the decimals, and commas may stand between thousands.`;
  }
  if (/^[0-9]{1,3}(?:\.[0-9]{3})+$/.test(compact)) {
    const [thousands, decimals] = [compact.replaceAll('.', ''), compact.replace(/0$/, '')];
    const either = /^[0-9]+\.[0-9]{2}$/.test(decimals) ? `${thousands} or ${decimals}` : thousands;
    return `It can be read in two ways. Write ${either}.`;
  }
  if (/,/.test(compact)) return `${FORM} or 1,250.50: a comma only between thousands.`;
  if (/^[0-9]+\.[0-9]{3,}$/.test(compact)) return `${FORM}: at most 2 decimals.`;
  if (/^[0-9]+(?:\.[0-9]{1,2})?$/.test(compact) && compact === text) {
    return `${FORM}: from 0.01 to 1000000000.00, without zeros before it.`;
  }
  return `${FORM}: digits, and a dot before at most 2 decimals.`;
}

function explainDecimalComma(compact: string): string {
  const meant = compact.replace(',', '.');
  return `Write ${meant}: a dot stands before the decimals, and a comma only between thousands.`;
}

/** `123450n` becomes `1234.50`. A negative amount, such as a shortfall, has a sign. */
export function formatMinor(minor: bigint): string {
  const magnitude = minor < 0n ? -minor : minor;
  const fraction = (magnitude % MINOR_PER_MAJOR).toString().padStart(MINOR_DIGITS, '0');
  return `${minor < 0n ? '-' : ''}${magnitude / MINOR_PER_MAJOR}.${fraction}`;
}

/** `123450000n` is `1,234,500.00`, for people. */
export function formatMoney(minor: bigint): string {
  const [whole = '', fraction = ''] = formatMinor(minor).split('.');
  return `${whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')}.${fraction}`;
}

/** Reads a balance as the API writes it. It may be larger than any amount. */
export function parseBalance(text: string): bigint | undefined {
  return /^-?[0-9]{1,18}\.[0-9]{2}$/.test(text) ? BigInt(text.replace('.', '')) : undefined;
}

/** An amount or a fee of an answer, read from the number's own text; a fee may be 0. */
export function fromJsonNumber(number: number): bigint {
  const [, whole, fraction = ''] = /^([0-9]{1,13})(?:\.([0-9]{1,2}))?$/.exec(String(number)) ?? [];
  if (whole === undefined) throw new Error('the service gave an amount with more than 2 decimals');
  return BigInt(whole + fraction.padEnd(MINOR_DIGITS, '0'));
}
