/**
 * Part of a statement that writes events: queues them for their place in the feed, from which webhooks are told
 * too. `noted` are the parts of the statement that insert into `events`, each with
 * `returning book_id, subject_id, seq, type` and with `queued` set to true. One row for all of them, since each
 * row is deleted a moment later. What is not marked as queued, a trigger queues, at a higher price.
 */
export function queueEvents(...noted: readonly string[]): string {
  return `
    queued_events as (
      insert into feed_pending (book_ids, subject_ids, seqs)
      select array_agg(n.book_id), array_agg(n.subject_id), array_agg(n.seq)
      from (${noted.map((name) => `select * from ${name}`).join(' union all ')}) n
      where n.type is not null
      having count(*) > 0
    )`;
}
