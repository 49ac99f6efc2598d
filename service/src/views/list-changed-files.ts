import type { Queryable, Statement } from '../postgres/database.ts';

/** Files that one look names. More change only while many people work. */
const FILES_MAX = 100;

export type ChangedFile = Readonly<{ bookId: string; id: string; state: string; at: Date }>;

/** The payout files of these books that changed after a time: their rows, their progress or their state. */
export async function listChangedFiles(
  database: Queryable,
  { bookIds, since }: Readonly<{ bookIds: readonly string[]; since: Date }>,
): Promise<readonly ChangedFile[]> {
  const rows = await database.query<{
    book_id: string;
    id: string;
    state: string;
    updated_at: Date;
  }>(LIST, [bookIds, since]);
  return rows.map((row) => ({
    bookId: row.book_id,
    id: row.id,
    state: row.state,
    at: row.updated_at,
  }));
}

const LIST: Statement = {
  name: 'list-changed-files',
  text: `
    select f.book_id, f.id, f.state, f.updated_at
    from unnest($1::uuid[]) as b (id)
    join payout_files f on f.book_id = b.id and f.updated_at > $2
    order by f.updated_at desc
    limit ${FILES_MAX}`,
};
