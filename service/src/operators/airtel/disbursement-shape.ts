import type { Currency } from '../../domain/money.ts';

export const API_VERSIONS = ['v1', 'v2', 'v3'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
export const ORDER_TYPES = ['B2C', 'B2B'] as const;
export const WALLET_TYPES = ['NORMAL', 'SALARY'] as const;

/** A payout in Airtel's terms, before it takes the shape of a version. */
type Order = Readonly<{
  id: string;
  msisdn: string;
  /** The text of a JSON number; a double never holds it. */
  amount: string;
  currency: Currency;
  encryptedPin: string;
}>;

/** What an application was set up with, as far as a version has a place for it. */
type OrderTerms = Readonly<{
  orderType: (typeof ORDER_TYPES)[number];
  walletType: (typeof WALLET_TYPES)[number];
  payeeName: string;
}>;

/** How one version of the disbursement API is spoken. */
export type DisbursementShape = Readonly<{
  submitPath: string;
  /** Whether requests can carry `x-signature` and `x-key`. */
  signs: boolean;
  inquirePath(id: string, terms: OrderTerms): string;
  writeBody(order: Order, terms: OrderTerms): string;
}>;
