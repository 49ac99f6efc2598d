import { COUNTRIES, type Country } from '../operator.ts';
import { parsePhone } from '../phone-number.ts';
import type { RowProblemCode } from './row-problem.ts';

export type PhoneCell = Readonly<{ phone: string; country: Country } | { problem: RowProblemCode }>;

const SCIENTIFIC = /^([0-9])(?:[.,]([0-9]+))?e\+?([0-9]{1,2})$/i;

/**
 * Reads a number as people write it and as spreadsheets store it: with an apostrophe before it, with `.0` behind it, and
 * in scientific notation where all its digits are there. `countries` are the countries that it may belong to.
 */
export function readPhoneCell(text: string, countries: readonly Country[]): PhoneCell {
  const bare = text
    .replace(/[\u00a0\u202f\u2007\u2009]/g, ' ')
    .replace(/^[\s']*(?:tel:)?/i, '')
    .replace(/^([0-9]+)\.0+$/, '$1')
    .trim();
  const written = SCIENTIFIC.test(bare) ? unfold(bare) : bare;
  if (written === undefined) return { problem: 'DIGITS_LOST' };
  for (const country of countries) {
    const phone = parsePhone(written, country);
    if (phone !== undefined) return { phone, country };
  }
  const isForeign = COUNTRIES.some(
    (country) => !countries.includes(country) && parsePhone(written, country) !== undefined,
  );
  return { problem: isForeign ? 'OTHER_CURRENCY' : 'INVALID_PHONE' };
}

/**
 * `2.60977433571E+11` has all 12 digits. `2.60977E+11` has lost its last ones, and so may one that ends in zeros:
 * programs leave zeros at the end out, and these cannot be told from digits that are lost.
 */
function unfold(text: string): string | undefined {
  const [, first = '', rest = '', exponent = ''] = SCIENTIFIC.exec(text) ?? [];
  return rest.length === Number(exponent) ? first + rest : undefined;
}
