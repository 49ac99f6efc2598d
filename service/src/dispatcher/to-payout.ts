import type { Transfer } from '../domain/transfer.ts';
import type { Payout } from '../operators/contract/connector.ts';

/** What a connector needs of a transfer. */
export function toPayout(transfer: Transfer): Payout {
  const { operatorReference, phone, operator, country, currency } = transfer;
  const { amountMinor, narration, createdAt, sendAt } = transfer;
  return {
    operatorReference,
    phone,
    operator,
    country,
    currency,
    amountMinor,
    narration,
    // Its age counts from the time at which it was to leave.
    createdAt: sendAt ?? createdAt,
  };
}
