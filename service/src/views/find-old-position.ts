import type { Queryable, Statement } from '../postgres/database.ts';
import { FEED_BEGINNING, type FeedPosition } from './list-events.ts';

/** The content of cursors from before events were placed in batches: the event, and the transaction that wrote it. */
export type OldPosition = Readonly<{ xid: string; subjectId: string; seq: number }>;

/** The position of the last event that a reader with such a cursor has seen. */
export async function findOldPosition(
  database: Queryable,
  bookId: string,
  { xid, subjectId, seq }: OldPosition,
): Promise<FeedPosition> {
  const [row] = await database.query<{ batch: bigint; place: number }>(FIND, [
    bookId,
    xid,
    subjectId,
    seq,
  ]);
  return row ?? FEED_BEGINNING;
}

// Batches from that time keep the order of transaction, subject and number: the event is in the last batch that begins
// at or before it.
const FIND: Statement = {
  name: '',
  text: `
    select f.number as batch, (
             select count(*)::integer from unnest(f.subject_ids, f.seqs) as k (subject_id, seq)
             where (f.old_xid, k.subject_id, k.seq) <= ($2::text::xid8, $3::uuid, $4::integer)
           ) as place
    from feed_batches f
    where f.book_id = $1 and f.old_xid <= $2::text::xid8
      and (f.old_xid, f.subject_ids[1], f.seqs[1]) <= ($2::text::xid8, $3::uuid, $4::integer)
    order by f.old_xid desc, f.number desc
    limit 1`,
};
