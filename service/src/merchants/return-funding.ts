import { recordEvents } from '../events/record-events.ts';
import {
  FIND_LOW_BALANCES,
  LOCK_WALLETS,
  LOW_BALANCE_EVENTS,
  POST_LEGS,
} from '../ledger/wallet-legs.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Books the contra posting of a funding, and returns its number. Undefined when the wallet has less available: then
 * nothing is booked.
 */
export async function returnFunding(
  tx: Queryable,
  funding: Readonly<{ bookId: string; walletId: string; amountMinor: bigint; at: Date }>,
): Promise<bigint | undefined> {
  const { bookId, walletId, amountMinor, at } = funding;
  const [row] = await tx.query<{ seq: bigint }>(RETURN, [bookId, walletId, amountMinor, at]);
  return row?.seq;
}

const RETURN: Statement = {
  name: '',
  text: `
    with touched as (select $1::uuid as book_id, $2::uuid as wallet_id),
    clock as (select $4::timestamptz as at),
    ${LOCK_WALLETS},
    legs as (
      select book_id, wallet_id, 1 as ord, 1 as leg, 'fund_return' as kind, 'available' as from_account,
             'funding' as to_account, $3::bigint as amount_minor, -$3::bigint as available_delta,
             0::bigint as held_delta, null::uuid as transfer_id, null::text as funding_reference
      from locked
      where available_minor >= $3::bigint
    ),
    ${POST_LEGS},
    ${FIND_LOW_BALANCES},
    ${recordEvents(LOW_BALANCE_EVENTS)}
    select seq::bigint as seq from numbered`,
};
