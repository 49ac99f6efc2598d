import { formatMinor, parseAmount } from '../../domain/money.ts';
import type { Country } from '../../domain/operator.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { readAmountText } from '../wire/amount-text.ts';

const CALLING_CODES: Readonly<Record<Country, string>> = { zm: '+260', ng: '+234' };

const GROUPED = /^[0-9]{1,3}(?:,[0-9]{3}){1,4}(?:\.[0-9]+)?$/;
const UUID_HEX = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Airtel accepts letters and digits only, and is known to refuse dashes. An id has 32 of the 64 allowed characters. */
export function toAirtelId(operatorReference: string): string {
  return operatorReference.replaceAll('-', '').toLowerCase();
}

/** The reference that an id was made from; undefined if the id is not ours. */
export function fromAirtelId(id: string): string | undefined {
  const parts = UUID_HEX.exec(id.toLowerCase());
  return parts === null ? undefined : parseUuid(parts.slice(1).join('-'));
}

/** `+260977123456` becomes `977123456`: neither country code nor leading zero. */
export function nationalNumber(e164: string, country: Country): string {
  const callingCode = CALLING_CODES[country];
  if (!e164.startsWith(callingCode)) throw new Error(`the number is not one of ${country}`);
  return e164.slice(callingCode.length);
}

/** The text of a JSON number, from digits alone: `15050n` becomes `150.5` and `15000n` becomes `150`. */
export function jsonAmount(amountMinor: bigint): string {
  return formatMinor(amountMinor).replace(/\.?0+$/, '');
}

/**
 * Reads an amount or a balance that Airtel wrote: also with commas, as in its texts, and with an exponent, as Java
 * writes large numbers. Undefined unless it is exact.
 */
export function readMinor(text: string): bigint | undefined {
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  return readAmountText(plain) ?? parseAmount(plain);
}
