import { AdminRefused } from '../domain/admin-refused.ts';
import { formatMinor, parseDecimal } from '../domain/money.ts';

const BASIS_POINTS_MAX = 10_000n;
/** domain/money reads amounts, and an amount is never zero; a fee may be. */
const ZERO = /^0(?:\.0{1,2})?$/;

/** Reads the fixed part of a fee as people write it: `0.50`. */
export function readFeeFixed(text: string): bigint {
  const fixedMinor = readHundredths(text);
  if (fixedMinor !== undefined) return fixedMinor;
  throw new AdminRefused('FEE_INVALID', {});
}

/** Reads a percentage of the amount as people write it, `1.5`, and returns basis points. */
export function readFeePercent(text: string): number {
  const basisPoints = readHundredths(text);
  if (basisPoints !== undefined && basisPoints <= BASIS_POINTS_MAX) return Number(basisPoints);
  throw new AdminRefused('PERCENT_INVALID', {});
}

/** `150` basis points are `1.50` percent. */
export function formatPercent(basisPoints: number): string {
  return formatMinor(BigInt(basisPoints));
}

// A hundredth of a percent is a basis point as a hundredth of a kwacha is a ngwee: one reader for both.
function readHundredths(text: string): bigint | undefined {
  return ZERO.test(text) ? 0n : parseDecimal(text);
}
