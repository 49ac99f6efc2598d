import type { Queryable, Statement } from '../postgres/database.ts';
import {
  type PayoutRow,
  ROW_COLUMNS,
  type RowOfTable,
  type RowState,
  toPayoutRow,
} from './payout-row.ts';

export type RowFilter = Readonly<{
  /** With a problem or a warning, and not dropped. */
  problemsOnly: boolean;
  state: RowState | null;
  /** A part of the name, the number, the cells or the reference. */
  text: string | null;
}>;

/** In the order of the file. */
export async function listRows(
  database: Queryable,
  query: Readonly<{
    bookId: string;
    fileId: string;
    filter: RowFilter;
    page: Readonly<{ limit: number; after: number | null }>;
  }>,
): Promise<Readonly<{ items: readonly PayoutRow[]; nextCursor: string | null }>> {
  const { bookId, fileId, filter, page } = query;
  const rows = await database.query<RowOfTable>(LIST, [
    bookId,
    fileId,
    page.after,
    filter.problemsOnly,
    filter.state,
    filter.text === null ? null : `%${filter.text.replace(/[\\%_]/g, '\\$&')}%`,
    page.limit + 1,
  ]);
  const items = rows.slice(0, page.limit).map(toPayoutRow);
  const last = items.at(-1);
  return {
    items,
    nextCursor: rows.length > page.limit && last !== undefined ? String(last.number) : null,
  };
}

// Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${ROW_COLUMNS}
    from payout_file_rows r
    where r.book_id = $1 and r.file_id = $2
      and ($3::integer is null or r.number > $3)
      and (not $4::boolean or (r.state <> 'dropped' and (r.problems <> '[]' or r.warnings <> '[]')))
      and ($5::text is null or r.state = $5)
      and ($6::text is null or r.recipient_name ilike $6 or r.phone ilike $6 or r.given_reference ilike $6
           or r.cells->>'phone' ilike $6 or r.cells->>'name' ilike $6)
    order by r.number
    limit $7`,
};
