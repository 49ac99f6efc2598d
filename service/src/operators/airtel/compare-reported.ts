import type { ReportedField } from '../../domain/outcome.ts';
import { parsePhone } from '../../domain/phone-number.ts';
import type { Payout } from '../contract/connector.ts';
import { at, type ExactJson, textAt } from '../wire/exact-json.ts';
import { readMinor } from './formats.ts';

type ComparedField = Exclude<ReportedField, 'reference'>;

/**
 * The fields that an answer reports as they were sent, and the fields that differ. Fields that it does not report are in
 * neither list.
 */
export type Compared = Readonly<{
  confirmed: readonly ComparedField[];
  contradicted: readonly ComparedField[];
}>;

/**
 * Airtel documents no such fields in its answers. If a gateway adds them they are read here, because they can only
 * contradict a success.
 */
const PLACES: readonly Readonly<{ subject: ComparedField; path: readonly string[] }>[] = [
  { subject: 'amount', path: ['data', 'transaction', 'amount'] },
  { subject: 'amount', path: ['data', 'amount'] },
  { subject: 'currency', path: ['data', 'transaction', 'currency'] },
  { subject: 'currency', path: ['data', 'currency'] },
  { subject: 'number', path: ['data', 'transaction', 'msisdn'] },
  { subject: 'number', path: ['data', 'payee', 'msisdn'] },
  { subject: 'number', path: ['data', 'msisdn'] },
];

/**
 * `You have sent ZMW 150.50 to 977123456, JANE BANDA.` in answers, `Paid ZMW 150.50 to 977123456` in callbacks. A
 * masked number does not match.
 */
const SENT_TEXT =
  /\b(?:sent|[Pp]aid)\s+([A-Z]{3})\s*([0-9][0-9,]*(?:\.[0-9]+)?)\s+to\s+(\+?[0-9]{9,15})(?![0-9*xX])/;

type Claim = Readonly<{ subject: ComparedField; agrees: boolean }>;

export function compareReported(
  json: ExactJson | undefined,
  payout: Payout,
  { readsTexts }: Readonly<{ readsTexts: boolean }>,
): Compared {
  const claims = [...fieldClaims(json, payout), ...(readsTexts ? textClaims(json, payout) : [])];
  const subjectsOf = (chosen: readonly Claim[]) => [
    ...new Set(chosen.map(({ subject }) => subject)),
  ];
  const contradicted = subjectsOf(claims.filter(({ agrees }) => !agrees));
  const confirmed = subjectsOf(claims).filter((subject) => !contradicted.includes(subject));
  return { confirmed, contradicted };
}

function fieldClaims(json: ExactJson | undefined, payout: Payout): Claim[] {
  return PLACES.flatMap(({ subject, path }) => {
    const value = at(json, ...path);
    if (value === undefined || value === null) return [];
    return [{ subject, agrees: typeof value === 'string' && agrees(subject, value, payout) }];
  });
}

function textClaims(json: ExactJson | undefined, payout: Payout): Claim[] {
  const texts = [textAt(json, 'status', 'message'), textAt(json, 'data', 'transaction', 'message')];
  return texts.flatMap((text) => {
    const sent = readSentText(text);
    if (sent === undefined) return [];
    const { currency, amount, number } = sent;
    return [
      { subject: 'amount', agrees: agrees('amount', amount, payout) },
      { subject: 'currency', agrees: agrees('currency', currency, payout) },
      { subject: 'number', agrees: agrees('number', number, payout) },
    ];
  });
}

/** The amount, currency and number in a human-readable message, if it has all three. */
export function readSentText(
  text: string | undefined,
): Readonly<{ currency: string; amount: string; number: string }> | undefined {
  const parts = SENT_TEXT.exec(text ?? '');
  if (parts === null) return undefined;
  const [, currency = '', amount = '', number = ''] = parts;
  return { currency, amount, number };
}

function agrees(subject: ComparedField, text: string, payout: Payout): boolean {
  switch (subject) {
    case 'amount':
      return readMinor(text) === payout.amountMinor;
    case 'currency':
      return text === payout.currency;
    case 'number':
      return parsePhone(text, payout.country) === payout.phone;
    default: {
      const unhandled: never = subject;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
