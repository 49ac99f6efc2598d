/** Of `transfers t`. The condition of the index transfers_asked_after_end. */
export const IS_INQUIRED_AFTER_END = `t.state in ('failed', 'cancelled') and t.next_action_at is not null`;

/**
 * Of `transfers t`, which failed or was cancelled: the operator says since that it paid it, or was asked for as long as
 * it is asked and did not say, and no person has closed that incident yet; or it is being asked now. Only a callback that
 * says "paid" has it asked about what was cancelled. Paid again under another reference it might be paid twice. What is
 * unclear about a transfer that was paid is whether the money came back.
 */
export const MAY_BE_PAID = `(
    (${IS_INQUIRED_AFTER_END})
    or exists (
      select from incidents i
      where i.book_id = t.book_id and i.transfer_id = t.id and i.closed_at is null
        and (
          i.kind in ('paid_after_failure', 'paid_before_sent', 'paid_by_other_operator')
          or (i.kind = 'unclear_after_end' and t.state in ('failed', 'cancelled'))
        )
    )
  )`;
