/**
 * Keeps the former version of an endpoint, in the statement that changes or deletes it, if an event may show it. Needs
 * the CTE `was (book_id, id, event_seq, url, events, created_at)`: the row before the change, locked.
 */
export const KEEP_VERSION = `
  kept as (
    insert into webhook_endpoint_versions (
      book_id, endpoint_id, last_event_seq, url, events, created_at
    )
    select w.book_id, w.id, w.event_seq, w.url, w.events, w.created_at
    from was w
    where w.event_seq > 0
    -- Of two versions between the same two events, the earlier events show the first.
    on conflict (book_id, endpoint_id, last_event_seq) do nothing
  )`;

/** The row before the change. Locked, so that no event comes between reading and changing it. */
export const LOCK_ENDPOINT = `
  was as materialized (
    select e.book_id, e.id, e.event_seq, e.url, e.events, e.created_at
    from webhook_endpoints e
    where e.book_id = $1 and e.id = $2
    for update
  )`;
