/** Amounts are whole minor units (ngwee, kobo) in a bigint. Money is never a double inside the service. */

export const CURRENCIES = ['ZMW', 'NGN'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** Both currencies have hundredths. */
export const MINOR_DIGITS = 2;
export const AMOUNT_MIN_MINOR = 1n;
/** 1,000,000,000.00 */
export const AMOUNT_MAX_MINOR = 100_000_000_000n;

const MINOR_PER_MAJOR = 10n ** BigInt(MINOR_DIGITS);
const AMOUNT_DIGITS_MAX = AMOUNT_MAX_MINOR.toString().length;

// A double prints any decimal of at most 15 significant digits unchanged; a longer one may change.
const NUMBER_EXACT_MAX_MINOR = 10n ** 15n - 1n;

// The number grammar of RFC 8259 without the sign, so that negative amounts never match.
const UNSIGNED_JSON_NUMBER = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * Reads the text of a JSON number as an exact amount. Undefined when it is not such a number, is out of bounds, or has
 * more than two decimals in value: `10.010` is 10.01, `1e2` is 100, and `10.001` is refused, as is an extra digit that
 * a double would hide.
 */
export function parseAmount(lexeme: string): bigint | undefined {
  const parts = UNSIGNED_JSON_NUMBER.exec(lexeme);
  if (parts === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = parts;

  const written = withoutLeadingZeros(whole + fraction);
  const zerosAtEnd = countZerosAtEnd(written);
  const digits = written.slice(0, written.length - zerosAtEnd);
  if (digits === '') return undefined;

  // An exponent too long for a double becomes an infinity, which one of the two comparisons below refuses.
  const decimals = fraction.length - zerosAtEnd - Number(exponent);
  if (decimals > MINOR_DIGITS) return undefined;

  // Count before building: `1e999999999` must not become a string of a billion zeros.
  const zerosToAppend = MINOR_DIGITS - decimals;
  if (digits.length + zerosToAppend > AMOUNT_DIGITS_MAX) return undefined;

  const amountMinor = BigInt(digits + '0'.repeat(zerosToAppend));
  return amountMinor >= AMOUNT_MIN_MINOR && amountMinor <= AMOUNT_MAX_MINOR
    ? amountMinor
    : undefined;
}

/**
 * Reads an amount as a person types it: `1000`, `1000.5` or `1000.50`. `1.000` is refused, since it may mean a
 * thousand.
 */
export function parseDecimal(text: string): bigint | undefined {
  return TYPED_AMOUNT.test(text) ? parseAmount(text) : undefined;
}

const TYPED_AMOUNT = /^[0-9]+(?:\.[0-9]{1,2})?$/;

/** `123450n` is `'1234.50'`. */
export function formatMinor(minor: bigint): string {
  const magnitude = minor < 0n ? -minor : minor;
  const whole = magnitude / MINOR_PER_MAJOR;
  const fraction = (magnitude % MINOR_PER_MAJOR).toString().padStart(MINOR_DIGITS, '0');
  return `${minor < 0n ? '-' : ''}${whole}.${fraction}`;
}

/** The amount as a JSON number; its text reads back as the same amount. */
export function minorToNumber(minor: bigint): number {
  if (minor > NUMBER_EXACT_MAX_MINOR || minor < -NUMBER_EXACT_MAX_MINOR) {
    throw new RangeError('an amount this large has no exact JSON number; use formatMinor');
  }
  return Number(minor) / Number(MINOR_PER_MAJOR);
}

const ZERO = 0x30;

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) start += 1;
  return digits.slice(start);
}

function countZerosAtEnd(digits: string): number {
  let count = 0;
  while (digits.charCodeAt(digits.length - 1 - count) === ZERO) count += 1;
  return count;
}
