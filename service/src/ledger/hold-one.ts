import { causeOf } from '../domain/cause.ts';

/**
 * The holds of wallet-legs.ts for one transfer: without the sums and numbers over a group, which cost a single transfer
 * more than its rows do. store-one-transfer.test.ts compares what both write.
 *
 * Needs the CTE `accepted`, a locked wallet that has enough, with the transfer that is held for: `id`, `total_minor`
 * and `at`. It has one row, or none, and then nothing is written.
 */
export const HOLD_ONE = `
  posted as (
    insert into postings (
      book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id,
      available_after_minor, held_after_minor, created_at
    )
    select a.book_id, a.wallet_id, a.posting_seq + 1, 'hold', 'available', 'held', a.total_minor,
           a.currency, a.id, a.available_minor - a.total_minor, a.held_minor + a.total_minor, a.at
    from accepted a
  ),
  balanced as (
    update wallets w
    set available_minor = a.available_minor - a.total_minor,
        held_minor = a.held_minor + a.total_minor,
        posting_seq = a.posting_seq + 1,
        day_total_minor = a.day_total_minor + a.total_minor,
        day = a.day
    from accepted a
    where w.book_id = a.book_id and w.id = a.wallet_id
  )`;

/** The event of a wallet that falls below its low-balance mark, for `recordEvents`. */
export const LOW_BALANCE_EVENT = `
  select a.book_id, a.wallet_id, (a.posting_seq + 1)::integer, 'wallet.low_balance', null, null,
         '${causeOf('BALANCE_LOW')}', 'system:ledger', a.at, true
  from accepted a
  where a.available_minor >= a.low_balance_minor
    and a.available_minor - a.total_minor < a.low_balance_minor`;
