import type { ReportedPayout } from './connector.ts';

/** As a part of a callback's reading, left out where the callback tells nothing of the payout. */
export function reportedPayout(told: ReportedPayout): Readonly<{ told?: ReportedPayout }> {
  const isTold = told.amountMinor !== null || told.currency !== null || told.phone !== null;
  return isTold ? { told } : {};
}
