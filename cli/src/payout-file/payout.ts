import type { Country, Currency, Operator } from '../../../sdk/src/index.ts';

/** One line of the file, checked. */
export type Payout = Readonly<{
  /** Where it stands in the file. */
  line: number;
  amountMinor: bigint;
  currency: Currency;
  reference: string;
  /** The reference in the file, when this pays a line again whose payout failed. */
  retryOf: string | null;
  /** As written in the file. */
  phone: string;
  operator: Operator;
  country: Country;
  walletId: string;
  narration: string | null;
  recipientName: string | null;
}>;

/** What is wrong with a line; with the whole file when there is no line. */
export type LineProblem = Readonly<{ line: number | null; column: string | null; reason: string }>;

export const CALLING_CODES: Readonly<Record<Country, string>> = { zm: '260', ng: '234' };

export const CURRENCY_OF: Readonly<Record<Country, Currency>> = { zm: 'ZMW', ng: 'NGN' };
