/**
 * Of `transfers t`: an operator says that it paid it before it was sent, and no person has closed that incident yet. It
 * stays in the queue until then, and its merchant can cancel it: after a restore another route may pay it again.
 */
export const IS_PAID_BEFORE_SENT = `exists (
    select from incidents i
    where i.book_id = t.book_id and i.transfer_id = t.id
      and i.kind = 'paid_before_sent' and i.closed_at is null
  )`;
