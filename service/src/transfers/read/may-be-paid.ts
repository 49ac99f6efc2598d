/**
 * Of `transfers t`, which failed: the operator says since that it paid it, and no person has closed that incident yet, or
 * it is being asked whether it did. Paid again under another reference it might be paid twice.
 */
export const MAY_BE_PAID = `(
    (t.state = 'failed' and t.next_action_at is not null)
    or exists (
      select from incidents i
      where i.book_id = t.book_id and i.transfer_id = t.id and i.closed_at is null
        and i.kind in ('paid_after_failure', 'paid_before_sent', 'paid_by_other_operator')
    )
  )`;
