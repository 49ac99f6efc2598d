/**
 * What a merchant pays for one transfer: a fixed part and hundredths of a percent of the amount.
 */
export type FeeTerms = Readonly<{ fixedMinor: bigint; basisPoints: number }>;

const BASIS_POINTS_PER_WHOLE = 10_000n;

/** The fee in minor units. Half a minor unit is rounded up: `0.5` ngwee costs 1. */
export function feeOf(terms: FeeTerms, amountMinor: bigint): bigint {
  if (terms.fixedMinor < 0n || terms.basisPoints < 0 || amountMinor < 0n) {
    throw new RangeError('a fee needs terms and an amount that are not negative');
  }
  const scaled = amountMinor * BigInt(terms.basisPoints);
  return terms.fixedMinor + (scaled + BASIS_POINTS_PER_WHOLE / 2n) / BASIS_POINTS_PER_WHOLE;
}
