import type { Queryable, Statement } from '../postgres/database.ts';
import {
  FILE_COLUMNS,
  type FileRow,
  type FileState,
  type PayoutFile,
  toPayoutFile,
} from './payout-file.ts';

/** Newest first. Pages go by id, which never changes, so new files cannot shift them. */
export async function listFiles(
  database: Queryable,
  query: Readonly<{
    bookId: string;
    state: FileState | null;
    page: Readonly<{ limit: number; before: string | null }>;
  }>,
): Promise<Readonly<{ items: readonly PayoutFile[]; nextCursor: string | null }>> {
  const { bookId, state, page } = query;
  const rows = await database.query<FileRow>(LIST, [bookId, page.before, state, page.limit + 1]);
  const items = rows.slice(0, page.limit).map(toPayoutFile);
  return { items, nextCursor: rows.length > page.limit ? (items.at(-1)?.id ?? null) : null };
}

// Not prepared, so that the planner sees which filters are given.
const LIST: Statement = {
  name: '',
  text: `
    select ${FILE_COLUMNS}
    from payout_files f
    where f.book_id = $1 and ($2::uuid is null or f.id < $2) and ($3::text is null or f.state = $3)
    order by f.id desc
    limit $4`,
};
