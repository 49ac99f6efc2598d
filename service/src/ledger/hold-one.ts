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

/** Of the locked wallet `w`: it was not below its low-balance mark before. Without a mark this is not so. */
export const MAY_FALL_BELOW_MARK = 'coalesce(w.available_minor >= w.low_balance_minor, false)';

/** Of it and of a transfer over $7 with the fee $8: no event says that the wallet fell below its mark. */
export const STAYS_ABOVE_MARK = `(
          not ${MAY_FALL_BELOW_MARK}
          or w.available_minor - ($7::bigint + $8::bigint) >= w.low_balance_minor
        )`;
