import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { firstUuidAt } from '../../domain/uuid.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { TRANSFER_COLUMNS, type TransferRow, toTransfer } from './transfer-row.ts';

const SIMILAR_WITHIN_MS = 24 * 60 * 60 * 1_000;
const SIMILAR_SHOWN_MAX = 5;
/** Payouts to the number that are looked at, newest first: a number may be paid all day long. */
const LOOKED_AT_MAX = 1_000;

type Sought = Readonly<{
  phone: string;
  amountMinor: bigint;
  /** Of the order itself, which is not similar to itself. */
  reference: string | null;
  now: Date;
}>;

/** Payouts of the same amount to the same number in the last 24 hours, under another reference, newest first. */
export async function findSimilar(
  database: Queryable,
  { book, sought }: Readonly<{ book: Book; sought: Sought }>,
): Promise<readonly Transfer[]> {
  const { phone, amountMinor, reference, now } = sought;
  const since = firstUuidAt(new Date(now.getTime() - SIMILAR_WITHIN_MS));
  const rows = await database.query<TransferRow>(FIND, [
    book.id,
    phone,
    since,
    LOOKED_AT_MAX,
    amountMinor,
    reference,
    SIMILAR_SHOWN_MAX,
  ]);
  return rows.map((row) => toTransfer(row, book.mode));
}

const FIND: Statement = {
  name: 'find-similar',
  text: `
    select ${TRANSFER_COLUMNS}
    from (
      select * from transfers t
      where t.book_id = $1 and t.phone = $2 and t.id >= $3
      order by t.id desc
      limit $4
    ) t
    where t.amount_minor = $5 and t.reference is distinct from $6
    order by t.id desc
    limit $7`,
};
