import type { Country, Currency, Operator } from '../../../sdk/src/index.ts';
import type { Payout } from '../payout-file/payout.ts';

type Sum = Readonly<{
  payouts: number;
  amountMinor: bigint;
  feesMinor: bigint;
  /** Of the file, to name one that a person can look at. */
  firstLine: number;
}>;

type OperatorTotal = Sum & Readonly<{ operator: Operator; country: Country; currency: Currency }>;
export type CurrencyTotal = Sum & Readonly<{ currency: Currency }>;
/** What is taken from one wallet in one currency; a wallet has only one that fits. */
export type WalletTotal = Sum & Readonly<{ walletId: string; currency: Currency }>;

export type Totals = Readonly<{
  payouts: number;
  byOperator: readonly OperatorTotal[];
  byCurrency: readonly CurrencyTotal[];
  byWallet: readonly WalletTotal[];
}>;

export function totalPayouts(
  payouts: readonly Payout[],
  feeMinorOf: (payout: Payout) => bigint,
): Totals {
  const totalBy = <Name extends object>(name: (payout: Payout) => Name) =>
    sumUp(payouts, { name, feeMinorOf });
  return {
    payouts: payouts.length,
    byOperator: totalBy(({ operator, country, currency }) => ({ operator, country, currency })),
    byCurrency: totalBy(({ currency }) => ({ currency })),
    byWallet: totalBy(({ walletId, currency }) => ({ walletId, currency })),
  };
}

/** Sums by what `name` says of each. */
function sumUp<Name extends object>(
  payouts: readonly Payout[],
  by: Readonly<{ name: (payout: Payout) => Name; feeMinorOf: (payout: Payout) => bigint }>,
): readonly (Name & Sum)[] {
  const sums = new Map<string, Name & Sum>();
  for (const payout of payouts) {
    const named = by.name(payout);
    const key = JSON.stringify(named);
    const sum = sums.get(key);
    sums.set(key, {
      ...named,
      payouts: (sum?.payouts ?? 0) + 1,
      amountMinor: (sum?.amountMinor ?? 0n) + payout.amountMinor,
      feesMinor: (sum?.feesMinor ?? 0n) + by.feeMinorOf(payout),
      firstLine: sum?.firstLine ?? payout.line,
    });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
