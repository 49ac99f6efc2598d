import type { ToldPayout } from '../connector.ts';

/** As a part of a callback's reading, left out where the callback tells nothing of the payout. */
export function toldPayout(told: ToldPayout): Readonly<{ told?: ToldPayout }> {
  const isTold = told.amountMinor !== null || told.currency !== null || told.phone !== null;
  return isTold ? { told } : {};
}
