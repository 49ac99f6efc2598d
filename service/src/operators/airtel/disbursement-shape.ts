import type { Currency } from '../../domain/money.ts';

export const API_VERSIONS = ['v1', 'v2', 'v3'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
export const ORDER_TYPES = ['B2C', 'B2B'] as const;
export const WALLET_TYPES = ['NORMAL', 'SALARY'] as const;

/** A payout in Airtel's terms, before it is written for a version of the API. */
type Order = Readonly<{
  id: string;
  msisdn: string;
  /** The text of a JSON number; it never passes through a double. */
  amount: string;
  currency: Currency;
  encryptedPin: string;
}>;

/** The settings of the application that some version has a field for. */
type OrderTerms = Readonly<{
  orderType: (typeof ORDER_TYPES)[number];
  walletType: (typeof WALLET_TYPES)[number];
  payeeName: string;
}>;

/** The differences of one version of the disbursement API. */
export type DisbursementShape = Readonly<{
  submitPath: string;
  /** Whether requests can carry `x-signature` and `x-key`. */
  signs: boolean;
  inquirePath(id: string, terms: OrderTerms): string;
  writeBody(order: Order, terms: OrderTerms): string;
}>;
