import { refuse } from '../../domain/refusal.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import type { ViewChoice, ViewOwner } from './saved-view.ts';

type OwnView = ViewOwner & Readonly<{ id: string }>;

/** Replaces a view of the person's own. */
export async function changeView(
  directory: Queryable,
  { personId, bookId, id, choice }: OwnView & Readonly<{ choice: ViewChoice }>,
): Promise<void> {
  const { name, query, columns, isShared } = choice;
  const values = [bookId, personId, id, name, query, columns, isShared];
  const rows = await directory.query(CHANGE, values);
  if (rows.length === 0) throw refuse('VIEW_NOT_FOUND');
}

/** Deletes a view of the person's own. */
export async function deleteView(
  directory: Queryable,
  { personId, bookId, id }: OwnView,
): Promise<void> {
  const rows = await directory.query(DELETE, [bookId, personId, id]);
  if (rows.length === 0) throw refuse('VIEW_NOT_FOUND');
}

const CHANGE: Statement = {
  name: '',
  text: `
    update saved_views set name = $4, query = $5, columns = $6::text[], is_shared = $7
    where book_id = $1 and person_id = $2 and id = $3
    returning id`,
};

const DELETE: Statement = {
  name: '',
  text: 'delete from saved_views where book_id = $1 and person_id = $2 and id = $3 returning id',
};
