import type { Country } from '../../../sdk/src/index.ts';

const PHONE_CHARS_MAX = 40;

/**
 * The service knows which prefixes are mobile numbers, and decides. These only tell a number of the
 * country from something that is none: enough to find the usual accidents of a spreadsheet.
 */
const SHAPES: Readonly<Record<Country, RegExp>> = {
  zm: /^(?:\+?(?:00)?2600?|0)?([1-9][0-9]{8})$/,
  // 009 is what one dials in Nigeria for another country, and people do it for their own.
  ng: /^(?:\+?(?:009|00)?2340?|0)?([1-9][0-9]{9})$/,
};

/** The number without what is dialled before it, the same for each of its spellings. */
export function nationalNumber(text: string, country: Country): string | undefined {
  if (text.length > PHONE_CHARS_MAX || !/^[0-9+() .-]+$/.test(text)) return undefined;
  // A spreadsheet that took the number for a quantity writes .0 behind it, which is no digit of the number.
  const digits = text.replace(/^([^.]*)\.0+$/, '$1').replace(/[() .-]/g, '');
  return SHAPES[country].exec(digits)?.[1];
}

/** A spreadsheet that takes a phone number for a quantity stores it as `2.60977E+11`. */
export function isSpreadsheetNumber(text: string): boolean {
  return /^[0-9]+(?:[.,][0-9]+)?E\+?[0-9]+$/i.test(text);
}
