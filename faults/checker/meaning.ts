import { isObject, textOf } from './shown-transfers.ts';
import type { TransferRow } from './snapshot.ts';

const MINOR_PER_UNIT = 100;
const COUNTRY_CODES: Readonly<Record<string, string>> = { zm: '260', ng: '234' };

/** The values of a transfer in a normalised form, so that two equal transfers are equal as text. */
export type Meaning = Readonly<{
  reference: string | null;
  amountMinor: string;
  phone: string;
  operator: string | null;
  country: string | null;
  walletId: string | null;
  narration: string | null;
  recipientName: string | null;
}>;

/** Reads a request's body by the checker's own rules; undefined: it is not readable. */
export function meaningOfBody(body: string | null): Meaning | undefined {
  const order: unknown = body === null ? undefined : JSON.parse(body);
  return isObject(order) ? meaningOfShown(order) : undefined;
}

/** The same for a transfer in an answer. */
export function meaningOfShown(shown: Readonly<Record<string, unknown>>): Meaning {
  const country = textOf(shown['country']);
  return {
    reference: textOf(shown['reference']),
    amountMinor: minorOf(shown['amount']),
    phone: dialled(textOf(shown['phone']) ?? '', COUNTRY_CODES[country ?? ''] ?? ''),
    operator: textOf(shown['operator']),
    country,
    walletId: textOf(shown['walletId']),
    narration: textOf(shown['narration']),
    recipientName: textOf(shown['recipientName']),
  };
}

export function meaningOfRow(row: TransferRow): Meaning {
  const { reference, amountMinor, phone, operator, country } = row;
  const { walletId, narration, recipientName } = row;
  return {
    reference,
    amountMinor,
    phone,
    operator,
    country,
    walletId,
    narration,
    recipientName,
  };
}

export function sameMeaning(one: Meaning, other: Meaning): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Rounding is exact enough for doubles with two decimals below a billion. */
export function minorOf(amount: unknown): string {
  return typeof amount === 'number' ? String(Math.round(amount * MINOR_PER_UNIT)) : 'none';
}

function dialled(spelling: string, countryCode: string): string {
  const digits = spelling.replace(/\D/g, '').replace(/^00/, '');
  if (spelling.startsWith('+') || digits.startsWith(countryCode)) return `+${digits}`;
  return `+${countryCode}${digits.replace(/^0/, '')}`;
}
