import { COUNTRIES, type Country, OPERATORS, type Operator } from '../../../sdk/src/index.ts';
import { ownerOfPrefix } from '../../../service/src/domain/number-prefix.ts';
import type { WrittenCurrency } from '../../../service/src/domain/payout-file/amount-currency.ts';
import { ROW_PROBLEMS } from '../../../service/src/domain/payout-file/row-problem.ts';
import { explainAmount, parseAmount } from './amount.ts';
import { CURRENCY_OF, type LineProblem, type Payout } from './payout.ts';
import { isSpreadsheetNumber, nationalNumber } from './phone-shape.ts';
import type { Column } from './read-header.ts';

const REFERENCE_PATTERN = /^[a-zA-Z0-9._-]{1,100}$/;
const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TEXT_CODE_POINTS_MAX = 100;
/** Control characters, and what reorders the text after it. */
const FORBIDDEN_TEXT = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

/** Names that people write in place of the code. */
const COUNTRY_NAMES: ReadonlyMap<string, Country> = new Map([
  ['zambia', 'zm'],
  ['nigeria', 'ng'],
]);

/** Defaults for fields that a line or the file leaves out. */
export type PayoutDefaults = Readonly<{
  operator: Operator | undefined;
  country: Country | undefined;
  /** Different for each country where the wallets of a demo are used. */
  walletIds: Readonly<Partial<Record<Country, string>>>;
}>;

/** What the header and format of the file say about all lines. */
export type LineRules = PayoutDefaults &
  Readonly<{
    /** The currency that the column of the amounts names; null: none. */
    amountCurrency?: WrittenCurrency | null;
    /** Semicolons separate the cells: spreadsheets write them where a comma stands before the decimals. */
    hasDecimalCommas?: boolean;
  }>;

/** A line whose reference may still have to be made. */
export type CheckedLine = Omit<Payout, 'reference' | 'retryOf'> &
  Readonly<{ reference: string | null }>;

/** The text of a column in this line; undefined where the file has no such column. */
export type ReadCell = (column: Column) => string | undefined;

/** The rules of the API. A line that passes is refused by the service only for reasons that only the service knows. */
export function checkPayout(
  line: number,
  cell: ReadCell,
  rules: LineRules,
): CheckedLine | readonly LineProblem[] {
  const problems: LineProblem[] = [];
  const complain = (column: Column, reason: string): undefined => {
    problems.push({ line, column, reason });
  };
  const given = (column: Column): string | undefined => cell(column) || undefined;

  const amountMinor = readAmount(given('amount'), rules, complain);
  const country = readWord(
    'country',
    readCountryName(given('country')) ?? rules.country ?? countryOf(given('phone')),
    COUNTRIES,
    complain,
  );
  const { amountCurrency = null } = rules;
  if (country !== undefined && amountCurrency !== null && amountCurrency !== CURRENCY_OF[country]) {
    complain('amount', ROW_PROBLEMS.AMOUNT_IN_OTHER_CURRENCY);
  }
  const operator = readWord(
    'operator',
    given('operator') ?? rules.operator ?? operatorOf(given('phone'), country),
    OPERATORS,
    complain,
  );
  const phone = readPhone(given('phone'), country, complain);
  const walletId = readWallet(given('walletId'), { country, defaults: rules, complain });
  const reference = readReference(cell('reference'), complain);
  const narration = readText('narration', given('narration'), complain);
  const recipientName = readText('recipientName', given('recipientName'), complain);
  if (problems.length > 0) return problems;
  if (amountMinor === undefined || country === undefined || operator === undefined) return problems;
  if (phone === undefined || walletId === undefined) return problems;
  const currency = CURRENCY_OF[country];
  return {
    line,
    amountMinor,
    currency,
    reference,
    phone,
    operator,
    country,
    walletId,
    narration,
    recipientName,
  };
}

type Complain = (column: Column, reason: string) => undefined;

const MISSING = 'Missing.';

/** `250,125`: with a comma before the decimals, three decimals; else thousands. */
const THOUSANDS_OR_DECIMALS = /^[0-9]{1,3},[0-9]{3}$/;

function readAmount(
  text: string | undefined,
  { hasDecimalCommas = false }: LineRules,
  complain: Complain,
): bigint | undefined {
  if (text === undefined) return complain('amount', MISSING);
  if (hasDecimalCommas && THOUSANDS_OR_DECIMALS.test(text) && parseAmount(text) !== undefined) {
    const whole = `${text.replace(',', '')}.00`;
    const reason = `It can be read in two ways. Write ${whole}, or a dot before at most 2 decimals.`;
    return complain('amount', reason);
  }
  return parseAmount(text) ?? complain('amount', explainAmount(text));
}

function readCountryName(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (COUNTRY_NAMES.get(text.toLowerCase()) ?? text);
}

/** The only country that has numbers of this shape. */
function countryOf(given: string | undefined): Country | undefined {
  const text = withoutApostrophe(given ?? '');
  const [country, ...others] = COUNTRIES.filter((one) => nationalNumber(text, one) !== undefined);
  return others.length === 0 ? country : undefined;
}

/** The operator to which the prefix of the number was assigned. */
function operatorOf(given: string | undefined, country: Country | undefined): string | undefined {
  if (country === undefined) return undefined;
  return ownerOfPrefix(nationalNumber(withoutApostrophe(given ?? ''), country) ?? '', country);
}

/** In spreadsheets and in our results an apostrophe marks a number as text. */
function withoutApostrophe(text: string): string {
  return text.replace(/^'/, '');
}

/** A word of the API in upper or lower case: people write MTN and Airtel. */
function readWord<Word extends string>(
  column: Column,
  text: string | undefined,
  words: readonly Word[],
  complain: Complain,
): Word | undefined {
  if (text === undefined) return complain(column, MISSING);
  const wanted = text.toLowerCase();
  const word = words.find((known) => known === wanted);
  return word ?? complain(column, `Write one of ${words.join(', ')}.`);
}

function readPhone(
  given: string | undefined,
  country: Country | undefined,
  complain: Complain,
): string | undefined {
  if (given === undefined) return complain('phone', MISSING);
  const text = withoutApostrophe(given);
  if (isSpreadsheetNumber(text)) {
    return complain('phone', 'A spreadsheet shortened it. Format the column as text.');
  }
  const countries = country === undefined ? COUNTRIES : [country];
  if (countries.some((one) => nationalNumber(text, one) !== undefined)) return text;
  return complain(
    'phone',
    'Not a mobile number of the country, such as +260977433571 in Zambia or +2348031234567 in Nigeria.',
  );
}

function readWallet(
  text: string | undefined,
  from: Readonly<{ country: Country | undefined; defaults: PayoutDefaults; complain: Complain }>,
): string | undefined {
  const { country, defaults, complain } = from;
  const walletId = text ?? (country === undefined ? undefined : defaults.walletIds[country]);
  // Without a country the wallet is not known, and the missing country is reported.
  if (walletId === undefined && country === undefined) return undefined;
  if (walletId === undefined) return complain('walletId', MISSING);
  if (UUID_PATTERN.test(walletId)) return walletId.toLowerCase();
  return complain('walletId', 'The id of a wallet, such as 01890a5d-ac96-774b-bcce-b302099a8057.');
}

/** Null where the file has no such column. In a file that has it, each line needs one. */
function readReference(text: string | undefined, complain: Complain): string | null {
  if (text === undefined) return null;
  if (text === '') complain('reference', 'Missing. Fill it in everywhere, or remove the column.');
  else if (!REFERENCE_PATTERN.test(text)) {
    complain('reference', '1 to 100 letters, digits, dots, underscores or hyphens.');
  }
  return text;
}

function readText(column: Column, text: string | undefined, complain: Complain): string | null {
  if (text === undefined) return null;
  if (Array.from(text).length > TEXT_CODE_POINTS_MAX) {
    complain(column, `At most ${TEXT_CODE_POINTS_MAX} characters.`);
  } else if (FORBIDDEN_TEXT.test(text)) {
    complain(column, 'Text without line breaks, control characters or bidirectional overrides.');
  }
  return text;
}
