import type { Country } from './plan.ts';
import type { Random } from './random.ts';

const MINOR_PER_UNIT = 100;
const SUFFIX_DIGITS = 3;
const SPECIAL_PER_MILLE = 550;

/** The endings of special test numbers; 941 is an operator that is down. */
const SPECIAL_SUFFIXES = ['901', '902', '903', '911', '912', '913', '921', '931', '941'] as const;
const CLOSED_SUFFIX = '941';

const DIALLING: Readonly<Record<Country, Readonly<{ code: string; start: string }>>> = {
  zm: { code: '260', start: '977' },
  ng: { code: '234', start: '803' },
};
const LINE_DIGITS: Readonly<Record<Country, number>> = { zm: 3, ng: 4 };
/** The prefix of each operator's numbers. */
const LIVE_STARTS: Readonly<Record<string, string>> = {
  'mtn zm': '966',
  'airtel zm': '977',
  'zamtel zm': '955',
  'vodacom zm': '979',
  'mtn ng': '803',
  'airtel ng': '802',
};

/** A mobile number in one of the usual spellings. */
export function makePhone(
  random: Random,
  country: Country,
  specialPerMille = SPECIAL_PER_MILLE,
): Readonly<{ phone: string; mayBeCancelled: boolean }> {
  const suffix = random.chance(specialPerMille)
    ? random.pick(SPECIAL_SUFFIXES)
    : plainSuffix(random);
  const phone = spell(random, { country, start: DIALLING[country].start, suffix });
  return { phone, mayBeCancelled: suffix === CLOSED_SUFFIX };
}

/** A number for a live order; the emulator decides its behaviour. */
export function makeLivePhone(
  random: Random,
  { operator, country }: Readonly<{ operator: string; country: Country }>,
): string {
  const start = LIVE_STARTS[`${operator} ${country}`] ?? DIALLING[country].start;
  return spell(random, { country, start, suffix: plainSuffix(random) });
}

/** Never the ending of a special test number. */
function plainSuffix(random: Random): string {
  return String(random.between(100, 899)).padStart(SUFFIX_DIGITS, '0');
}

function spell(
  random: Random,
  { country, start, suffix }: Readonly<{ country: Country; start: string; suffix: string }>,
): string {
  const { code } = DIALLING[country];
  const line = String(random.between(1, 10 ** LINE_DIGITS[country] - 1));
  const national = `${start}${line.padStart(LINE_DIGITS[country], '0')}${suffix}`;
  const spaced = `${national.slice(0, 2)} ${national.slice(2, 5)}-${national.slice(5)}`;
  return random.pick([
    `0${national}`,
    national,
    `${code}${national}`,
    `+${code} ${spaced}`,
    `00${code}${national}`,
  ]);
}

/** The amount in one of its valid spellings. */
export function makeAmountText(random: Random, amountMinor: number): string {
  const units = Math.floor(amountMinor / MINOR_PER_UNIT);
  const cents = String(amountMinor % MINOR_PER_UNIT).padStart(2, '0');
  const plain = `${units}.${cents}`;
  if (cents !== '00') return random.pick([plain, `${amountMinor}e-2`]);
  return random.pick([plain, String(units), `${units}.0`, `${units}e0`]);
}

/** One number of an operator, in its plain spelling. */
export function writeNumber(
  { operator, country }: Readonly<{ operator: string; country: Country }>,
  { line, end }: Readonly<{ line: number; end: string }>,
): string {
  const { code, start: usual } = DIALLING[country];
  const start = LIVE_STARTS[`${operator} ${country}`] ?? usual;
  const digits = LINE_DIGITS[country];
  return `${code}${start}${String(line % 10 ** digits).padStart(digits, '0')}${end}`;
}
