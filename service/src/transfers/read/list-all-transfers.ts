import { SERVED_HERE } from '../../cells/served-here.ts';
import type { Operator } from '../../domain/operator.ts';
import type { Mode, Transfer } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

/** A transfer with whose it is, for the staff. */
export type OwnedTransfer = Readonly<{
  transfer: Transfer;
  merchant: Readonly<{ id: string; name: string }>;
}>;

/** Null: any. */
export type AllTransfersFilter = Readonly<{
  merchantId: string | null;
  mode: Mode | null;
  /** Any of these. */
  references: readonly string[] | null;
  state: TransferState | null;
  operator: Operator | null;
  route: string | null;
  phone: string | null;
  from: Date | null;
  to: Date | null;
}>;

/** Transfers of all books of a database, newest first. Ids are ordered by time. */
export async function listAllTransfers(
  database: Queryable,
  query: Readonly<{ filter: AllTransfersFilter; max: number; before: string | null }>,
): Promise<readonly OwnedTransfer[]> {
  const { filter, max, before } = query;
  const rows = await database.query<OwnedRow>(LIST, [
    max,
    before,
    filter.merchantId,
    filter.mode,
    filter.references,
    filter.state,
    filter.operator,
    filter.route,
    filter.phone,
    filter.from,
    filter.to,
  ]);
  return rows.map(toOwned);
}

export type OwnedRow = TransferRow & { mode: Mode; merchant_id: string; merchant: string };

export function toOwned(row: OwnedRow): OwnedTransfer {
  return {
    transfer: toTransfer(row, row.mode),
    merchant: { id: row.merchant_id, name: row.merchant },
  };
}

// Each book is read from its newest transfer on, as far as one page: there is no index over all books, since every
// payout would have to write it. Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${TRANSFER_COLUMNS}, b.mode, b.merchant_id, m.name as merchant
    from books b
    join merchants m on m.id = b.merchant_id and ${SERVED_HERE}
    cross join lateral (
      select * from transfers t
      where t.book_id = b.id
        and ($2::uuid is null or t.id < $2)
        and ($5::text[] is null or t.reference = any ($5))
        and ($6::text is null or t.state = $6)
        and ($7::text is null or t.operator = $7)
        and ($8::text is null or t.route = $8)
        and ($9::text is null or t.phone = $9)
        and ($10::timestamptz is null or t.created_at >= $10)
        and ($11::timestamptz is null or t.created_at < $11)
      order by t.id desc
      limit $1
    ) t
    where ($3::uuid is null or b.merchant_id = $3)
      and ($4::text is null or b.mode = $4)
    order by t.id desc
    limit $1`,
};
