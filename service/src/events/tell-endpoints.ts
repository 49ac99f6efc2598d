/**
 * Queues a delivery for every endpoint that wants to hear of the events in the CTE `told (book_id,
 * subject_id, seq, type)`, in the statement that writes them, so that none can be forgotten. Needs
 * `clock (at)`.
 */
export const TELL_ENDPOINTS = `
  queued_deliveries as (
    insert into deliveries (
      book_id, id, endpoint_id, subject_id, event_seq, next_attempt_at, created_at
    )
    select t.book_id, gen_random_uuid(), e.id, t.subject_id, t.seq, now(), c.at
    from told t
    join webhook_endpoints e
      on e.book_id = t.book_id and e.status = 'enabled'
      and (cardinality(e.events) = 0 or t.type = any (e.events))
    cross join clock c
    where t.type is not null
  )`;
