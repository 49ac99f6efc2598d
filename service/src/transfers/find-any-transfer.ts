import type { Mode, Transfer } from '../domain/transfer.ts';
import { parseUuid } from '../domain/uuid.ts';
import { AdminRefused } from '../merchants/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

/** A transfer as administrators see it, with whose it is. */
export type FoundTransfer = Readonly<{
  transfer: Transfer;
  merchant: string;
  /** The number of its last event. */
  eventSeq: number;
  /** Since when a person must look; null: the service goes on by itself. */
  flaggedAt: Date | null;
}>;

const WITHOUT_DASHES = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;

/**
 * The transfer with this id, or with this operator reference, in whichever book it is. Some operators
 * know the reference without its dashes, so that is how their support spells it.
 */
export async function findAnyTransfer(database: Queryable, id: string): Promise<FoundTransfer> {
  const [row] = await database.query<FoundRow>(FIND, [parseUuid(withDashes(id.trim())) ?? null]);
  if (row === undefined) {
    throw new AdminRefused(
      'There is no transfer with this id.',
      '"transfers in-doubt" lists those in doubt. The operator reference is understood too; the reference of the merchant is not, since every merchant may have the same.',
    );
  }
  return {
    transfer: toTransfer(row, row.mode),
    merchant: row.merchant,
    eventSeq: row.event_seq,
    flaggedAt: row.flagged_at,
  };
}

function withDashes(text: string): string {
  return text.replace(WITHOUT_DASHES, '$1-$2-$3-$4-$5');
}

type FoundRow = TransferRow & {
  mode: Mode;
  merchant: string;
  flagged_at: Date | null;
};

// The primary key begins with the book, so each book is probed; without the limit the planner may read
// all transfers instead.
const FIND: Statement = {
  name: '',
  text: `
    select t.*, b.mode, m.name as merchant
    from books b
    join merchants m on m.id = b.merchant_id
    cross join lateral (
      (
        select ${TRANSFER_COLUMNS}, t.flagged_at
        from transfers t
        where t.book_id = b.id and t.id = $1
        limit 1
      )
      union all
      (
        select ${TRANSFER_COLUMNS}, t.flagged_at
        from transfers t
        where t.operator_reference = $1 and t.book_id = b.id
        limit 1
      )
    ) t
    limit 1`,
};
