import { MINOR_DIGITS } from '../../domain/money.ts';

/** No operator's amount exceeds a quadrillion. */
const DECIMAL = /^(-?)([0-9]{1,15})(?:\.([0-9]{1,18}))?$/;

/**
 * Reads an amount as operators write it: `150`, `150.0`, `150.00` and `150.0000` are equal. Undefined if the text is
 * not a plain decimal, or is finer than minor units and so cannot be represented exactly.
 */
export function readAmountText(text: string): bigint | undefined {
  const parts = DECIMAL.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = parts;
  if (/[1-9]/.test(fraction.slice(MINOR_DIGITS))) return undefined;
  return BigInt(sign + whole + fraction.slice(0, MINOR_DIGITS).padEnd(MINOR_DIGITS, '0'));
}

/**
 * `15050n` with two decimals becomes `150.50`. Undefined if the amount needs more decimals than the market accepts:
 * nothing is ever rounded.
 */
export function writeAmountText(amountMinor: bigint, decimals: number): string | undefined {
  const digits = amountMinor.toString().padStart(MINOR_DIGITS + 1, '0');
  const whole = digits.slice(0, -MINOR_DIGITS);
  const fraction = digits.slice(-MINOR_DIGITS);
  if (amountMinor < 0n || /[1-9]/.test(fraction.slice(decimals))) return undefined;
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`;
}
