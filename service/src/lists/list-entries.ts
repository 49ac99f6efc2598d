import { bookIdOf, type ControlOwner } from '../domain/control-owner.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  ENTRY_COLUMNS,
  type EntryRow,
  type ListEntry,
  type ListName,
  toEntry,
} from './list-entry.ts';

export type EntryFilter = Readonly<{
  list: ListName | null;
  /** Part of the number, of the reason or of the author's name. */
  q: string | null;
  inForce: boolean | null;
}>;

/** The entries of a book or of the company, newest first. */
export async function listEntries(
  database: Queryable,
  page: Readonly<{ owner: ControlOwner; filter: EntryFilter; max: number; before: string | null }>,
): Promise<readonly ListEntry[]> {
  const { list, q, inForce } = page.filter;
  const values = [bookIdOf(page.owner), list, q, inForce, page.before, page.max];
  const rows = await database.query<EntryRow>(LIST, values);
  return rows.map(toEntry);
}

// Ids are in the order of time. A list is at most some ten thousand rows of one book, so text is looked for in them.
const LIST: Statement = {
  name: 'list-entries',
  text: `
    select ${ENTRY_COLUMNS}
    from list_entries e
    where e.book_id = $1
      and ($2::text is null or e.list = $2)
      and ($3::text is null
        or strpos(e.phone, $3) > 0
        or strpos(lower(e.reason), lower($3)) > 0
        or strpos(lower(e.created_by_name), lower($3)) > 0)
      and ($4::boolean is null
        or (e.ended_at is null and (e.expires_at is null or e.expires_at > now())) = $4)
      and ($5::uuid is null or e.id < $5)
    order by e.id desc
    limit $6`,
};
