import type { Mode, Transfer } from '../../domain/transfer.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { AdminRefused } from '../../merchants/admin-refused.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { HOUR_OF_END } from './hour-of-end.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

/** A transfer as administrators see it, with the name of its merchant. */
export type FoundTransfer = Readonly<{
  transfer: Transfer;
  merchant: string;
  /** The number of its last event. */
  eventSeq: number;
  /** Since when a person must act; null: the service continues by itself. */
  flaggedAt: Date | null;
}>;

const WITHOUT_DASHES = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/i;

/**
 * The transfer with this id, or with this operator reference, in any book. Some operators use the reference without its
 * dashes, and their support spells it that way.
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

// The primary key begins with the book, so each book is probed; without the limit the planner may read all transfers
// instead. The references of finished transfers are in an index by the hour of their end, so each hour that has some is
// probed, the latest first.
const FIND: Statement = {
  name: '',
  text: `
    with recursive hours as (
      (
        select ${HOUR_OF_END} as hour from transfers t
        where t.completed_at is not null
        order by ${HOUR_OF_END} desc limit 1
      )
      union all
      select (
        select ${HOUR_OF_END} from transfers t
        where t.completed_at is not null and ${HOUR_OF_END} < h.hour
        order by ${HOUR_OF_END} desc limit 1
      )
      from hours h
      where h.hour is not null
    ),
    found as (
      (
        select t.book_id, t.id
        from books b
        cross join lateral (
          select t.book_id, t.id from transfers t
          where t.book_id = b.id and t.id = $1
          limit 1
        ) t
        limit 1
      )
      union all
      (
        select t.book_id, t.id from transfers t
        where t.operator_reference = $1 and t.completed_at is null
        limit 1
      )
      union all
      (
        select t.book_id, t.id
        from hours h
        cross join lateral (
          select t.book_id, t.id from transfers t
          where ${HOUR_OF_END} = h.hour and t.operator_reference = $1
            and t.completed_at is not null
          limit 1
        ) t
        limit 1
      )
      limit 1
    )
    select ${TRANSFER_COLUMNS}, t.flagged_at, b.mode, m.name as merchant
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id`,
};
