import type { ReportedPayout } from './connector.ts';

/** For spreading into a callback's reading; empty if the callback reports nothing about the payout. */
export function reportedPayout(reported: ReportedPayout): Readonly<{ reported?: ReportedPayout }> {
  const isReported =
    reported.amountMinor !== null || reported.currency !== null || reported.phone !== null;
  return isReported ? { reported } : {};
}
