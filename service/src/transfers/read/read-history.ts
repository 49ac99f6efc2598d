import { describeCause } from '../../domain/cause.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

export type HistoryEntry = Readonly<{
  sequence: number;
  from: TransferState | null;
  state: TransferState;
  event: string | null;
  /** The sentence. */
  cause: string;
  actor: string;
  at: Date;
}>;

type HistoryRow = {
  seq: number;
  from_state: TransferState | null;
  to_state: TransferState;
  type: string | null;
  cause: string;
  actor: string;
  created_at: Date;
};

/** More than any transfer can have: the schedule of a doubt ends, and only moves are recorded. */
const HISTORY_MAX = 1_000;

/** Every state that the transfer was in, oldest first. Empty when the book has no such transfer. */
export async function readHistory(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): Promise<readonly HistoryEntry[]> {
  const rows = await database.query<HistoryRow>(HISTORY, [bookId, id, HISTORY_MAX]);
  return rows.map((row) => ({
    sequence: row.seq,
    from: row.from_state,
    state: row.to_state,
    event: row.type,
    cause: describeCause(row.cause),
    actor: row.actor,
    at: row.created_at,
  }));
}

const HISTORY: Statement = {
  name: 'read-history',
  text: `
    select e.seq, e.from_state, e.to_state, e.type, e.cause, e.actor, e.created_at
    from events e
    where e.book_id = $1 and e.subject_id = $2 and e.to_state is not null
    order by e.seq
    limit $3`,
};
