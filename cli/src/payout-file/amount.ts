/** Amounts are whole minor units (ngwee, kobo) in a bigint; sums of doubles would drift. */

const AMOUNT_MIN_MINOR = 1n;
/** 1,000,000,000.00 */
const AMOUNT_MAX_MINOR = 100_000_000_000n;
const MINOR_PER_MAJOR = 100n;
const MINOR_DIGITS = 2;
const AMOUNT_PATTERN = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,2}))?$/;

/** The amount that a person wrote: `1000`, `1000.5` or `1000.50`, nothing more clever. */
export function parseAmount(text: string): bigint | undefined {
  const parts = AMOUNT_PATTERN.exec(text);
  if (parts === null) return undefined;
  const [, whole = '', fraction = ''] = parts;
  const amountMinor = BigInt(whole + fraction.padEnd(MINOR_DIGITS, '0'));
  const isInBounds = amountMinor >= AMOUNT_MIN_MINOR && amountMinor <= AMOUNT_MAX_MINOR;
  return isInBounds ? amountMinor : undefined;
}

/** `123450n` is `1234.50`; below zero, as a balance never is, it has a sign. */
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

/** Of a balance as the API writes it, which may be larger than any amount. */
export function parseBalance(text: string): bigint | undefined {
  return /^-?[0-9]{1,18}\.[0-9]{2}$/.test(text) ? BigInt(text.replace('.', '')) : undefined;
}

/**
 * The number whose JSON text is the amount. It is read from the decimal text, never computed: an
 * amount has at most 12 digits, and a double prints back any decimal of up to 15 unchanged.
 */
export function toJsonNumber(amountMinor: bigint): number {
  const number = Number(formatMinor(amountMinor));
  if (parseAmount(JSON.stringify(number)) !== amountMinor) {
    throw new Error('an amount does not survive as a JSON number');
  }
  return number;
}
