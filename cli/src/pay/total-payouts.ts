import type { Country, Currency, Operator } from '../../../sdk/src/index.ts';
import type { Payout } from '../payout-file/payout.ts';

type Sum = Readonly<{
  payouts: number;
  amountMinor: bigint;
  /** Of the file, to name one that somebody can look at. */
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

export function totalPayouts(payouts: readonly Payout[]): Totals {
  return {
    payouts: payouts.length,
    byOperator: totalBy(payouts, ({ operator, country, currency }) => ({
      operator,
      country,
      currency,
    })),
    byCurrency: totalBy(payouts, ({ currency }) => ({ currency })),
    byWallet: totalBy(payouts, ({ walletId, currency }) => ({ walletId, currency })),
  };
}

/** Sums by what `name` says of each. */
function totalBy<Name extends object>(
  payouts: readonly Payout[],
  name: (payout: Payout) => Name,
): readonly (Name & Sum)[] {
  const sums = new Map<string, Name & Sum>();
  for (const payout of payouts) {
    const named = name(payout);
    const key = JSON.stringify(named);
    const sum = sums.get(key);
    sums.set(key, {
      ...named,
      payouts: (sum?.payouts ?? 0) + 1,
      amountMinor: (sum?.amountMinor ?? 0n) + payout.amountMinor,
      firstLine: sum?.firstLine ?? payout.line,
    });
  }
  return [...sums.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
