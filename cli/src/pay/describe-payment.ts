import { formatMinor } from '../payout-file/amount.ts';
import type { Totals } from './total-payouts.ts';

/** The JSON description of what a run pays. Amounts are decimal texts. */
export function describePayment({ payouts, byOperator, byCurrency }: Totals) {
  return {
    payouts,
    byOperator: byOperator.map((total) => ({
      operator: total.operator,
      country: total.country,
      currency: total.currency,
      payouts: total.payouts,
      amount: formatMinor(total.amountMinor),
      fees: formatMinor(total.feesMinor),
    })),
    byCurrency: byCurrency.map((total) => ({
      currency: total.currency,
      payouts: total.payouts,
      amount: formatMinor(total.amountMinor),
      fees: formatMinor(total.feesMinor),
    })),
  };
}
