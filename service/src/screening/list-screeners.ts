import type { Queryable, Statement } from '../postgres/database.ts';
import {
  SCREENER_COLUMNS,
  SCREENERS_MAX,
  type Screener,
  type ScreenerRow,
  toScreener,
} from './screener.ts';

/** All screeners of a book or of the company, newest first: there are few. */
export async function listScreeners(
  database: Queryable,
  bookId: string,
): Promise<readonly Screener[]> {
  const rows = await database.query<ScreenerRow>(LIST, [bookId, SCREENERS_MAX]);
  return rows.map(toScreener);
}

const LIST: Statement = {
  name: 'list-screeners',
  text: `
    select ${SCREENER_COLUMNS}
    from screeners s
    where s.book_id = $1 and s.removed_at is null
    order by s.id desc
    limit $2`,
};
