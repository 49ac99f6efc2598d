import type { NameMatch } from '../domain/name-match.ts';
import type { Country, Operator } from '../domain/operator.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { RowContent } from './file-content.ts';

const PAGE_ROWS = 1_000;

export type RowOfContent = {
  number: number;
  phone: string;
  operator: Operator;
  country: Country;
  amount_minor: bigint;
  fee_minor: bigint;
  recipient_name: string | null;
  narration: string | null;
  given_reference: string | null;
  replaces: string | null;
  name_match: NameMatch | null;
};

/** The columns of what is paid by a row. */
export const CONTENT_COLUMNS =
  'number, phone, operator, country, amount_minor, fee_minor, recipient_name, narration, given_reference, replaces, name_match';

export function toRowContent(row: RowOfContent): RowContent {
  return {
    number: row.number,
    phone: row.phone,
    operator: row.operator,
    country: row.country,
    amountMinor: row.amount_minor,
    feeMinor: row.fee_minor,
    recipientName: row.recipient_name,
    narration: row.narration,
    givenReference: row.given_reference,
    replaces: row.replaces,
    nameMatch: row.name_match,
  };
}

/** The rows of a file that are to be paid, in the order of their numbers, page by page. */
export async function* readPayableRows(
  database: Queryable,
  { bookId, id }: Readonly<{ bookId: string; id: string }>,
): AsyncGenerator<readonly RowContent[]> {
  for (let after = 0; ; ) {
    const rows = await database.query<RowOfContent>(READ, [bookId, id, after, PAGE_ROWS]);
    if (rows.length > 0) yield rows.map(toRowContent);
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.number ?? after;
  }
}

// A submitted file has the same rows in other states, and so the same content.
const READ: Statement = {
  name: 'read-payable-rows',
  text: `
    select ${CONTENT_COLUMNS}
    from payout_file_rows
    where book_id = $1 and file_id = $2 and number > $3 and state in ('ready', 'waiting', 'created', 'refused')
    order by number
    limit $4`,
};
