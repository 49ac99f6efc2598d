import type { Country } from './plan.ts';
import type { Random } from './random.ts';

const MINOR_PER_UNIT = 100;
const SUFFIX_DIGITS = 3;
const SPECIAL_PER_MILLE = 550;

/** The last three digits with which a test book plays something out; 941 is an operator that is down. */
const SPECIAL_SUFFIXES = ['901', '902', '903', '911', '912', '913', '921', '931', '941'] as const;
const CLOSED_SUFFIX = '941';

const DIALLING: Readonly<Record<Country, Readonly<{ code: string; start: string }>>> = {
  zm: { code: '260', start: '977' },
  ng: { code: '234', start: '803' },
};
const LINE_DIGITS: Readonly<Record<Country, number>> = { zm: 3, ng: 4 };

/** A mobile number in one of the spellings that people use. */
export function makePhone(
  random: Random,
  country: Country,
): Readonly<{ phone: string; mayBeCancelled: boolean }> {
  const suffix = random.chance(SPECIAL_PER_MILLE)
    ? random.pick(SPECIAL_SUFFIXES)
    : // Never a number that plays something out.
      String(random.between(100, 899)).padStart(SUFFIX_DIGITS, '0');
  const { code, start } = DIALLING[country];
  const line = String(random.between(1, 10 ** LINE_DIGITS[country] - 1));
  const national = `${start}${line.padStart(LINE_DIGITS[country], '0')}${suffix}`;
  const spaced = `${national.slice(0, 2)} ${national.slice(2, 5)}-${national.slice(5)}`;
  const phone = random.pick([
    `0${national}`,
    national,
    `${code}${national}`,
    `+${code} ${spaced}`,
    `00${code}${national}`,
  ]);
  return { phone, mayBeCancelled: suffix === CLOSED_SUFFIX };
}

/** The same amount as people and programs write it. */
export function makeAmountText(random: Random, amountMinor: number): string {
  const units = Math.floor(amountMinor / MINOR_PER_UNIT);
  const cents = String(amountMinor % MINOR_PER_UNIT).padStart(2, '0');
  const plain = `${units}.${cents}`;
  if (cents !== '00') return random.pick([plain, `${amountMinor}e-2`]);
  return random.pick([plain, String(units), `${units}.0`, `${units}e0`]);
}
