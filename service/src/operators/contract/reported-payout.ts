import type { ReportedPayout } from './connector.ts';

/** For spreading into a callback's reading; empty if the callback reports nothing about the payout. */
export function reportedPayout(told: ReportedPayout): Readonly<{ told?: ReportedPayout }> {
  const isTold = told.amountMinor !== null || told.currency !== null || told.phone !== null;
  return isTold ? { told } : {};
}
