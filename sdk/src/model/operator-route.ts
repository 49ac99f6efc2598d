import type { Country, Currency, Operator } from './words.ts';

/** What the book can do with one operator in one country. */
export type OperatorRoute = Readonly<{
  operator: Operator;
  country: Country;
  currency: Currency;
  /** Whether the book can pay this operator out. */
  available: boolean;
  /** The smallest amount it takes; null when not available. */
  min: number | null;
  /** The largest amount it takes; null when not available. */
  max: number | null;
  /** How many decimals an amount may have. */
  decimals: number;
  /** What a transfer costs on top of its amount. */
  fee: Readonly<{
    /** The same for each transfer. */
    fixed: number;
    /** Hundredths of a percent of the amount, rounded to two decimals, half up. */
    basisPoints: number;
  }>;
  /** While it is down, transfers wait in the queue. */
  health: 'up' | 'down' | 'unknown';
}>;
