/**
 * Part of a statement that writes events: queues them for the feed, from which deliveries are made too. `sources` are
 * the parts of the statement that insert into `events`, each with `returning book_id, subject_id, seq, type` and with
 * `queued` set to true. All of them share one row, since each row is deleted a moment later. Events that are not marked
 * as queued are queued by a trigger, at a higher cost.
 */
export function queueEvents(...sources: readonly string[]): string {
  return `
    queued_events as (
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array_agg(n.book_id), array_agg(n.subject_id), array_agg(n.seq::integer)
      from (${sources.map((name) => `select * from ${name}`).join(' union all ')}) n
      where n.type is not null
      having count(*) > 0
    )`;
}
