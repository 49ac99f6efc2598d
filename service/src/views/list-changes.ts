import type { EventType } from '../events/event-types.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Batches of one look. More have come only after a long pause. */
const BATCHES_MAX = 200;
/** Changes of one book that a look names; of more, only that there were more. */
const CHANGES_OF_BOOK_MAX = 100;

/** Something in a book that changed. */
export type Change = Readonly<{
  bookId: string;
  merchantId: string;
  subjectId: string;
  type: EventType;
  /** Of a transfer. */
  state: string | null;
  reference: string | null;
  at: Date;
}>;

export type Changes = Readonly<{
  /** Where the next look continues. */
  position: bigint;
  changes: readonly Change[];
  /** The books in which more changed than is named; null: any book may be among them. */
  busyBooks: ReadonlySet<string> | null;
}>;

/** The place that the latest event of all books has. */
export async function readChangePosition(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ position: bigint }>(READ_POSITION);
  if (row === undefined) throw new Error('the database has lost its feed clock');
  return row.position;
}

/**
 * What changed after a position, in these books or in all (null). The numbers of batches grow over all books in the
 * order of their commits, so one position is enough for all.
 */
export async function listChanges(
  database: Queryable,
  { after, bookIds }: Readonly<{ after: bigint; bookIds: readonly string[] | null }>,
): Promise<Changes> {
  const rows = await database.query<ChangeRow | EmptyRow>(LIST, [after, bookIds]);
  const [first] = rows;
  if (first === undefined) throw new Error('the database has lost its feed clock');
  const { position, batches } = first;
  if (batches > BATCHES_MAX) return { position, changes: [], busyBooks: null };
  const found = rows.filter((row) => row.book_id !== null);
  const changes = found.filter(({ place }) => place <= CHANGES_OF_BOOK_MAX).map(toChange);
  const busy = found.filter(({ place }) => place > CHANGES_OF_BOOK_MAX);
  return { position, changes, busyBooks: new Set(busy.map(({ book_id }) => book_id)) };
}

type Extent = { position: bigint; batches: number };
/** Nothing changed in these books. The position grows with other books, so that the next look begins there. */
type EmptyRow = Extent & { book_id: null };
type ChangeRow = Extent & {
  book_id: string;
  merchant_id: string;
  subject_id: string;
  place: number;
  type: EventType;
  to_state: string | null;
  reference: string | null;
  created_at: Date;
};

function toChange(row: ChangeRow): Change {
  return {
    bookId: row.book_id,
    merchantId: row.merchant_id,
    subjectId: row.subject_id,
    type: row.type,
    state: row.to_state,
    reference: row.reference,
    at: row.created_at,
  };
}

const READ_POSITION: Statement = {
  name: 'read-change-position',
  text: 'select last_number as position from feed_clock',
};

const LIST: Statement = {
  name: 'list-changes',
  text: `
    with batches as materialized (
      select f.book_id, f.number, f.subject_ids, f.seqs
      from feed_batches f
      where f.number > $1 and ($2::uuid[] is null or f.book_id = any ($2))
      order by f.number
      limit ${BATCHES_MAX + 1}
    ),
    extent as (
      select c.last_number as position, (select count(*) from batches)::integer as batches
      from feed_clock c
    ),
    keys as (
      select b.book_id, b.number, k.subject_id, k.seq,
             row_number() over (partition by b.book_id order by b.number, k.place)::integer as place
      from batches b
      cross join lateral unnest(b.subject_ids, b.seqs) with ordinality as k (subject_id, seq, place)
    )
    select x.position, x.batches, k.book_id, k.merchant_id, k.subject_id, k.place, k.type, k.to_state,
           k.reference, k.created_at
    from extent x
    left join (
      select k.*, o.merchant_id, e.type, e.to_state, t.reference, e.created_at
      from keys k
      join books o on o.id = k.book_id
      join events e on e.book_id = k.book_id and e.subject_id = k.subject_id and e.seq = k.seq
      left join transfers t on t.book_id = k.book_id and t.id = k.subject_id
      where k.place <= ${CHANGES_OF_BOOK_MAX + 1}
    ) k on true
    order by k.number, k.place`,
};
