/**
 * Part of a statement that writes events: queues them for the feed, from which deliveries are made too. `source` is
 * the part of the statement that inserts into `events`, with `returning book_id, subject_id, seq, type` and with
 * `queued` set to true. All events share one row, since each row is deleted a moment later. Events that are not marked
 * as queued are queued by a trigger, at a higher cost.
 */
export function queueEvents(source: string): string {
  return `
    queued_events as (
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array_agg(n.book_id), array_agg(n.subject_id), array_agg(n.seq::integer)
      from ${source} n
      where n.type is not null
      having count(*) > 0
    )`;
}
