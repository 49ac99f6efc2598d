import type { Country } from '../../../sdk/src/index.ts';

const PHONE_CHARS_MAX = 40;

/**
 * The service decides which prefixes are mobile numbers. These patterns only tell whether the text can be a number of
 * the country, which finds the usual damage done by spreadsheets.
 */
const SHAPES: Readonly<Record<Country, RegExp>> = {
  zm: /^(?:\+?(?:00)?2600?|0)?([1-9][0-9]{8})$/,
  // 009 is the prefix for calls from Nigeria to other countries. People also write it before 234.
  ng: /^(?:\+?(?:009|00)?2340?|0)?([1-9][0-9]{9})$/,
};

/** The number without what is dialled before it, the same for each of its spellings. */
export function nationalNumber(text: string, country: Country): string | undefined {
  if (text.length > PHONE_CHARS_MAX || !/^[0-9+() .-]+$/.test(text)) return undefined;
  // A spreadsheet that treats the number as a quantity appends .0, which is not part of the number.
  const digits = text.replace(/^([^.]*)\.0+$/, '$1').replace(/[() .-]/g, '');
  return SHAPES[country].exec(digits)?.[1];
}

/** A spreadsheet that takes a phone number for a quantity stores it as `2.60977E+11`. */
export function isSpreadsheetNumber(text: string): boolean {
  return /^[0-9]+(?:[.,][0-9]+)?E\+?[0-9]+$/i.test(text);
}
