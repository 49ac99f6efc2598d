import { type FeeTerms, feeOf } from '../fee.ts';
import type { Currency } from '../money.ts';
import { predictOperator } from '../number-prefix.ts';
import {
  COUNTRIES,
  type Country,
  currencyOf,
  isCountry,
  isOperator,
  type Operator,
} from '../operator.ts';
import { checkPlainText } from '../plain-text.ts';
import { parseReference } from '../reference.ts';
import { parseUuid } from '../uuid.ts';
import type { WrittenCurrency } from './amount-currency.ts';
import { readAmountCell } from './read-amount-cell.ts';
import { readPhoneCell } from './read-phone-cell.ts';
import type { RowCells, RowField, RowTexts } from './row-fields.ts';
import type { RowProblem, RowProblemCode, RowWarning } from './row-problem.ts';

/** Texts of the API are at most this long, counted in Unicode code points. */
const TEXT_CODE_POINTS_MAX = 100;
const MINOR_PER_MAJOR = 100n;

/** What one route takes. */
export type RowBounds = Readonly<{ minMinor: bigint; maxMinor: bigint; wholeOnly: boolean }>;

/** What the rows of a file are checked against. Plain values: it is handed to a worker thread. */
export type RowRules = Readonly<{
  /** All rows are in it; null: not known yet. */
  currency: Currency | null;
  /** What the header of the amounts names; null or absent: it names none. */
  amountCurrency?: WrittenCurrency | null;
  /** The amounts of the file may have a comma before their decimals. */
  hasDecimalCommas?: boolean;
  /** Null: not chosen yet. */
  walletId: string | null;
  /** Whether each row must have a reference of its own, that of its transfer. */
  ownReferences: boolean;
  /** The wallets of the book, by id. */
  wallets: Readonly<Record<string, Currency>>;
  feeTerms: FeeTerms;
  /** By `operator country`, the bounds of each route; absent: there is no route. */
  bounds: Readonly<Record<string, readonly RowBounds[]>>;
}>;

/** What a row means as far as it can be read, and everything that is wrong with it. */
export type CheckedRow = Readonly<{
  phone: string | null;
  operator: Operator | null;
  operatorPredicted: boolean;
  country: Country | null;
  currency: Currency | null;
  amountMinor: bigint | null;
  feeMinor: bigint | null;
  recipientName: string | null;
  narration: string | null;
  givenReference: string | null;
  /** The wallet that the row names. */
  walletId: string | null;
  problems: readonly RowProblem[];
  warnings: readonly RowWarning[];
}>;

/** Maps, because the words come from files: an object would also find `constructor`. */
const COUNTRY_NAMES: ReadonlyMap<string, Country> = new Map([
  ['zambia', 'zm'],
  ['zmb', 'zm'],
  ['260', 'zm'],
  ['+260', 'zm'],
  ['nigeria', 'ng'],
  ['nga', 'ng'],
  ['234', 'ng'],
  ['+234', 'ng'],
]);

/** Words that people write for an operator. */
const OPERATOR_NAMES: ReadonlyMap<string, Operator> = new Map([
  ['airtelmoney', 'airtel'],
  ['airtelzambia', 'airtel'],
  ['airtelnigeria', 'airtel'],
  ['mtnmomo', 'mtn'],
  ['mtnmobilemoney', 'mtn'],
  ['mtnzambia', 'mtn'],
  ['mtnnigeria', 'mtn'],
  ['momo', 'mtn'],
  ['zamtelkwacha', 'zamtel'],
  ['zamtelmoney', 'zamtel'],
  ['mpesa', 'vodacom'],
  ['vodacommpesa', 'vodacom'],
]);

/** Checks a row as the API checks a transfer, and finds everything that is wrong at once. */
export function checkRow(texts: RowCells, rules: RowRules): CheckedRow {
  const problems: RowProblem[] = [];
  const warnings: RowWarning[] = [];
  const problem = (field: RowField, code: RowProblemCode): null => {
    problems.push({ field, code });
    return null;
  };
  const written = readAmount(texts.amount, rules, problem);
  // A comma inside an unquoted cell moves all cells after it to the right.
  if (!isBlank(texts.extra)) problem('amount', 'EXTRA_CELLS');
  if (!isBlank(texts.next)) problem('amount', 'AMOUNT_CUT');
  const { phone, country } = readPhone(texts, rules, problem);
  const currency = country === null ? null : currencyOf(country);
  const isOther =
    written !== null &&
    isOtherCurrency(currency ?? rules.currency, [written.currency, rules.amountCurrency ?? null]);
  const amountMinor = isOther
    ? problem('amount', 'AMOUNT_IN_OTHER_CURRENCY')
    : (written?.amountMinor ?? null);
  const given = readOperator(texts.operator, problem);
  const predicted = phone === null || country === null ? null : predictOperator(phone, country);
  const operator = given === undefined ? predicted : given;
  if (given === undefined && predicted === null && phone !== null) {
    problem('operator', 'OPERATOR_UNKNOWN');
  }
  if (typeof given === 'string' && predicted !== null && predicted !== given) {
    warnings.push({ code: 'OTHER_OPERATOR', field: 'operator' });
  }
  if (operator !== null && country !== null) {
    const code = findUnpayable(rules.bounds[`${operator} ${country}`] ?? [], amountMinor);
    if (code !== null) problem(code === 'AMOUNT_OUT_OF_BOUNDS' ? 'amount' : 'operator', code);
  }
  return {
    phone,
    operator,
    operatorPredicted: given === undefined && predicted !== null,
    country,
    currency,
    amountMinor,
    feeMinor: amountMinor === null ? null : feeOf(rules.feeTerms, amountMinor),
    recipientName: readText('name', texts.name, problem),
    narration: readText('narration', texts.narration, problem),
    givenReference: readReference(texts.reference, rules, problem),
    walletId: readWallet(texts.walletId, rules, problem),
    problems,
    warnings,
  };
}

type Complain = (field: RowField, code: RowProblemCode) => null;

function readAmount(
  text: string | undefined,
  { hasDecimalCommas = false }: RowRules,
  problem: Complain,
) {
  if (isBlank(text)) return problem('amount', 'REQUIRED');
  const read = readAmountCell(text, { hasDecimalCommas });
  return 'amountMinor' in read ? read : problem('amount', read.problem);
}

/** Whether an amount names another currency than it is paid in, by its cell or its column. */
function isOtherCurrency(
  paidIn: Currency | null,
  named: readonly (WrittenCurrency | null)[],
): boolean {
  return paidIn !== null && named.some((one) => one !== null && one !== paidIn);
}

function readPhone(
  texts: RowTexts,
  { currency }: RowRules,
  problem: Complain,
): Readonly<{ phone: string | null; country: Country | null }> {
  const country = readCountry(texts.country);
  if (country === undefined) problem('country', 'INVALID_COUNTRY');
  const ofCurrency = COUNTRIES.filter((one) => currency === null || currencyOf(one) === currency);
  if (typeof country === 'string' && !ofCurrency.includes(country)) {
    problem('country', 'OTHER_CURRENCY');
    return { phone: null, country };
  }
  if (isBlank(texts.phone)) {
    problem('phone', 'REQUIRED');
    return { phone: null, country: country ?? null };
  }
  const read = readPhoneCell(texts.phone, typeof country === 'string' ? [country] : ofCurrency);
  if ('phone' in read) return read;
  problem('phone', read.problem);
  return { phone: null, country: country ?? null };
}

/** Null: not given. Undefined: not a country of ours. */
function readCountry(text: string | undefined): Country | null | undefined {
  if (isBlank(text)) return null;
  const word = text.trim().toLowerCase();
  return isCountry(word) ? word : COUNTRY_NAMES.get(word);
}

/** Undefined: not given. Null: given, and not an operator. */
function readOperator(text: string | undefined, problem: Complain): Operator | null | undefined {
  if (isBlank(text)) return undefined;
  const word = text.toLowerCase().replace(/[^a-z]/g, '');
  if (isOperator(word)) return word;
  return OPERATOR_NAMES.get(word) ?? problem('operator', 'INVALID_OPERATOR');
}

function findUnpayable(
  routes: readonly RowBounds[],
  amountMinor: bigint | null,
): 'OPERATOR_NOT_AVAILABLE' | 'AMOUNT_OUT_OF_BOUNDS' | null {
  if (routes.length === 0) return 'OPERATOR_NOT_AVAILABLE';
  if (amountMinor === null) return null;
  const isTaken = routes.some(
    ({ minMinor, maxMinor, wholeOnly }) =>
      amountMinor >= minMinor &&
      amountMinor <= maxMinor &&
      (!wholeOnly || amountMinor % MINOR_PER_MAJOR === 0n),
  );
  return isTaken ? null : 'AMOUNT_OUT_OF_BOUNDS';
}

function readText(field: RowField, text: string | undefined, problem: Complain): string | null {
  if (isBlank(text)) return null;
  const trimmed = text.trim();
  const verdict = checkPlainText(trimmed, { codePointsMax: TEXT_CODE_POINTS_MAX });
  return verdict === 'ok' ? trimmed : problem(field, verdict);
}

function readReference(
  text: string | undefined,
  { ownReferences }: RowRules,
  problem: Complain,
): string | null {
  if (!ownReferences) return readText('reference', text, problem);
  if (isBlank(text)) return problem('reference', 'REQUIRED');
  return parseReference(text.trim()) ?? problem('reference', 'INVALID_REFERENCE');
}

function readWallet(
  text: string | undefined,
  { walletId, wallets }: RowRules,
  problem: Complain,
): string | null {
  if (isBlank(text)) return null;
  const id = parseUuid(text.trim());
  if (id === undefined || !(id in wallets)) return problem('walletId', 'INVALID_WALLET_ID');
  return walletId === null || walletId === id ? id : problem('walletId', 'OTHER_WALLET');
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === '';
}
