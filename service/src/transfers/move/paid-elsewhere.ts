/**
 * Of `transfers t`: a callback of another route than `route` says that it paid it before it was sent, and no person has
 * closed that incident yet. It stays in the queue until then, and its merchant can cancel it. By the route that says so
 * it may be sent: its operator recognises the reference, and pays it once.
 */
export function isPaidElsewhere(route: string): string {
  return `(
    exists (
      select from incidents i
      where i.book_id = t.book_id and i.transfer_id = t.id
        and i.kind = 'paid_before_sent' and i.closed_at is null
    )
    and exists (
      select from callbacks c
      where c.operator_reference = t.operator_reference and c.handled_as = 'PAID_BEFORE_SENT'
        and c.route <> ${route}
    )
  )`;
}
