import type { Queryable, Statement } from '../../postgres/database.ts';
import type { SavedView, ViewOwner } from './saved-view.ts';

/** Own views and shared ones together. */
const VIEWS_LISTED_MAX = 500;

/** A person's own views of a book, then the views that others share, by name. */
export async function listViews(
  directory: Queryable,
  { personId, bookId }: ViewOwner,
): Promise<readonly SavedView[]> {
  const rows = await directory.query<ViewRow>(LIST, [bookId, personId, VIEWS_LISTED_MAX]);
  return rows.map(({ owner_id, owner, is_shared, ...view }) => ({
    ...view,
    isShared: is_shared,
    ownedBy: { id: owner_id, name: owner },
  }));
}

type ViewRow = {
  id: string;
  name: string;
  query: string;
  columns: string[];
  is_shared: boolean;
  owner_id: string;
  owner: string;
};

const LIST: Statement = {
  name: 'list-views',
  text: `
    select v.id, v.name, v.query, v.columns, v.is_shared, p.id as owner_id, p.name as owner
    from saved_views v
    join people p on p.id = v.person_id and p.removed_at is null
    where v.book_id = $1 and (v.person_id = $2 or v.is_shared)
    order by v.person_id <> $2, lower(v.name), v.id
    limit $3`,
};
