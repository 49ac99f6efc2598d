import { SERVED_HERE } from '../../cells/served-here.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import type { Mode, Transfer } from '../../domain/transfer.ts';
import { parseUuid, withDashes } from '../../domain/uuid.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { HOUR_OF_END } from './hour-of-end.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

/** A transfer as administrators see it, with the name of its merchant. */
export type FoundTransfer = Readonly<{
  transfer: Transfer;
  merchantId: string;
  merchant: string;
  /** The number of its last event. */
  eventSeq: number;
  /** Since when a person must act; null: the service continues by itself. */
  flaggedAt: Date | null;
}>;

/** As many as a person reads to see whose it is. */
const NAMESAKES_LISTED_MAX = 10;

/**
 * The transfer with this id, or with this operator reference, in any book. Some operators use the reference without its
 * dashes, and their support spells it that way.
 */
export async function findAnyTransfer(database: Queryable, id: string): Promise<FoundTransfer> {
  const found = await findTransferById(database, id);
  if (found === undefined) throw new AdminRefused('TRANSFER_NOT_FOUND', {});
  return found;
}

/** The same; undefined: there is none here. */
export async function findTransferById(
  database: Queryable,
  id: string,
): Promise<FoundTransfer | undefined> {
  const uuid = parseUuid(withDashes(id.trim()));
  if (uuid === undefined) return undefined;
  const [row] = await database.query<FoundRow>(FIND, [uuid]);
  return row === undefined ? undefined : toFound(row);
}

/** What people call a transfer by: its id, its operator reference, or the merchant's own reference. */
export type TransferName = Readonly<{
  text: string;
  /** Whose it is; null: any merchant's. A reference is unique in a book only. */
  merchantId: string | null;
  /** In which book; null: in either. */
  mode: Mode | null;
}>;

/** `isById`: found by its id or operator reference. */
type NamedTransfer = FoundTransfer & Readonly<{ isById: boolean }>;

/** The transfer of this name. A reference that several books have is refused with whose they are. */
export async function findNamedTransfer(
  database: Queryable,
  name: TransferName,
): Promise<FoundTransfer> {
  const found = await listNamedTransfers(database, name);
  const [first, ...others] = found;
  if (first === undefined) throw new AdminRefused('TRANSFER_NOT_FOUND', {});
  if (others.length > 0) throw ambiguousTransfer(found);
  return first;
}

/** The transfers of this name, as many as a person reads. An id, or an operator reference, is of one alone. */
export async function listNamedTransfers(
  database: Queryable,
  name: TransferName,
): Promise<readonly NamedTransfer[]> {
  const { text, merchantId, mode } = name;
  const byId = await findTransferById(database, text);
  if (byId !== undefined && isAskedFor(byId, name)) return [{ ...byId, isById: true }];
  const values = [text.trim(), merchantId, mode, NAMESAKES_LISTED_MAX];
  const rows = await database.query<FoundRow>(FIND_BY_REFERENCE, values);
  return rows.map((row) => ({ ...toFound(row), isById: false }));
}

export function ambiguousTransfer(found: readonly FoundTransfer[]): AdminRefused {
  const listed = found.slice(0, NAMESAKES_LISTED_MAX);
  return new AdminRefused('TRANSFER_AMBIGUOUS', {
    found: listed.map(({ merchant, transfer: { mode, id } }) => ({ merchant, mode, id })),
  });
}

/** A merchant may use a UUID as its reference, which may be another transfer's id. */
function isAskedFor(found: FoundTransfer, { merchantId, mode }: TransferName): boolean {
  const isMerchants = merchantId === null || found.merchantId === merchantId;
  return isMerchants && (mode === null || found.transfer.mode === mode);
}

function toFound(row: FoundRow): FoundTransfer {
  return {
    transfer: toTransfer(row, row.mode),
    merchantId: row.merchant_id,
    merchant: row.merchant,
    eventSeq: row.event_seq,
    flaggedAt: row.flagged_at,
  };
}

type FoundRow = TransferRow & {
  mode: Mode;
  merchant_id: string;
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
    select ${TRANSFER_COLUMNS}, t.flagged_at, b.mode, b.merchant_id, m.name as merchant
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}`,
};

// Each book is probed by its index of references; without the limit the planner may read all transfers instead.
const FIND_BY_REFERENCE: Statement = {
  name: '',
  text: `
    with found as (
      select t.book_id, t.id
      from books b
      join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
      cross join lateral (
        select t.book_id, t.id from transfers t
        where t.book_id = b.id and t.reference = $1
        limit 1
      ) t
      where ($2::uuid is null or b.merchant_id = $2)
        and ($3::text is null or b.mode = $3)
      limit $4
    )
    select ${TRANSFER_COLUMNS}, t.flagged_at, b.mode, b.merchant_id, m.name as merchant
    from found f
    join transfers t on t.book_id = f.book_id and t.id = f.id
    join books b on b.id = t.book_id
    join merchants m on m.id = b.merchant_id
    order by m.name, b.mode`,
};
