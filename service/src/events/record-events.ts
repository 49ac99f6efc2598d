const INSERT_EVENTS = `
      insert into events (
        book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at, queued
      )`;

/**
 * Parts of a statement that write events, as `recorded`, and queue them for the feed, from which deliveries are made
 * too. `select` ends with true for `queued`. All events share one row of the queue, since each row is deleted a moment
 * later. Events that are written in another way are queued by a trigger, at a higher cost.
 */
export function recordEvents(select: string): string {
  return `
    recorded as (
      ${INSERT_EVENTS}
      ${select}
      returning book_id, subject_id, seq, type
    ),
    queued_events as (
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array_agg(n.book_id), array_agg(n.subject_id), array_agg(n.seq::integer)
      from recorded n
      where n.type is not null
      having count(*) > 0
    )`;
}

/** The same for the first event of the subject in the CTE `accepted (book_id, id)`, which has one row or none. */
export function recordFirstEvent(select: string): string {
  return `
    recorded as (
      ${INSERT_EVENTS}
      ${select}
    ),
    queued_events as (
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array[a.book_id], array[a.id], array[1] from accepted a
    )`;
}
