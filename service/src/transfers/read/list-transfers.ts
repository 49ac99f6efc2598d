import type { Book } from '../../domain/book.ts';
import type { Country, Operator } from '../../domain/operator.ts';
import type { Transfer } from '../../domain/transfer.ts';
import {
  statesWithStatus,
  type TransferState,
  type TransferStatus,
} from '../../domain/transfer-state.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

export type TransferFilter = Readonly<{
  /** Any of these. */
  references: readonly string[] | null;
  status: TransferStatus | null;
  state: TransferState | null;
  operator: Operator | null;
  country: Country | null;
  walletId: string | null;
  /** In E.164. */
  phone: string | null;
  /** At least. */
  amountFromMinor: bigint | null;
  /** At most. */
  amountToMinor: bigint | null;
  /** From this time on. Ids are ordered by time too, but only this column is exact. */
  from: Date | null;
  /** Before this time. */
  to: Date | null;
  metadata: Readonly<{ key: string; value: string }> | null;
}>;

export const NO_FILTER: TransferFilter = {
  references: null,
  status: null,
  state: null,
  operator: null,
  country: null,
  walletId: null,
  phone: null,
  amountFromMinor: null,
  amountToMinor: null,
  from: null,
  to: null,
  metadata: null,
};

export type Page = Readonly<{ limit: number; before: string | null }>;

/** Newest first. Pages go by id, which never changes, so inserts cannot shift them. */
export async function listTransfers(
  database: Queryable,
  query: Readonly<{ book: Book; filter: TransferFilter; page: Page }>,
): Promise<Readonly<{ items: readonly Transfer[]; nextCursor: string | null }>> {
  const { book, filter, page } = query;
  const states = filter.status === null ? null : statesWithStatus(filter.status);
  const values = [
    book.id,
    page.before,
    filter.references,
    states,
    filter.state,
    filter.operator,
    filter.country,
    filter.walletId,
    filter.from,
    filter.to,
    filter.phone,
    filter.amountFromMinor,
    filter.amountToMinor,
    page.limit + 1,
  ];
  const { metadata } = filter;
  const rows =
    metadata === null
      ? await database.query<TransferRow>(LIST, values)
      : await database.query<TransferRow>(LIST_BY_METADATA, [
          ...values,
          metadata.key,
          metadata.value,
        ]);
  const items = rows.slice(0, page.limit).map((row) => toTransfer(row, book.mode));
  const nextCursor = rows.length > page.limit ? (items.at(-1)?.id ?? null) : null;
  return { items, nextCursor };
}

const FILTERS = `
  ($2::uuid is null or t.id < $2)
  and ($3::text[] is null or t.reference = any ($3))
  and ($4::text[] is null or t.state = any ($4))
  and ($5::text is null or t.state = $5)
  and ($6::text is null or t.operator = $6)
  and ($7::text is null or t.country = $7)
  and ($8::uuid is null or t.wallet_id = $8)
  and ($9::timestamptz is null or t.created_at >= $9)
  and ($10::timestamptz is null or t.created_at < $10)
  and ($11::text is null or t.phone = $11)
  and ($12::bigint is null or t.amount_minor >= $12)
  and ($13::bigint is null or t.amount_minor <= $13)`;

// Neither is prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${TRANSFER_COLUMNS}
    from transfers t
    where t.book_id = $1 and ${FILTERS}
    order by t.id desc
    limit $14`,
};

// The rows of one key and value are in the order of the ids, so a page reads no more of them than it shows.
const LIST_BY_METADATA: Statement = {
  name: '',
  text: `
    select ${TRANSFER_COLUMNS}
    from transfer_metadata m
    join transfers t on t.book_id = m.book_id and t.id = m.transfer_id
    where m.book_id = $1 and m.key = $15 and m.value = $16
      and ($2::uuid is null or m.transfer_id < $2)
      and ${FILTERS}
    order by m.transfer_id desc
    limit $14`,
};
