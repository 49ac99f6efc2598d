import { refuse } from '../../domain/refusal.ts';
import type { Database, Statement } from '../../postgres/database.ts';
import { VIEWS_MAX, type ViewChoice, type ViewOwner } from './saved-view.ts';

type SaveDeps = Readonly<{ directory: Database; now: () => Date; newId: () => string }>;

/** Keeps a new view and returns its id. */
export async function saveView(
  deps: SaveDeps,
  { personId, bookId, choice }: ViewOwner & Readonly<{ choice: ViewChoice }>,
): Promise<string> {
  const id = deps.newId();
  const { name, query, columns, isShared } = choice;
  const values = [id, personId, bookId, name, query, columns, isShared, deps.now(), VIEWS_MAX];
  const stored = await deps.directory.transaction(async (tx) => {
    await tx.query(LOCK_PERSON, [personId]);
    return tx.query(INSERT, values);
  });
  if (stored.length === 1) return id;
  throw refuse('LIMIT_EXCEEDED', {
    message: `You have ${VIEWS_MAX} views of this book, which is the most. Delete one first. Nothing was stored.`,
  });
}

// Two calls at once could both see room for one more.
const LOCK_PERSON: Statement = {
  name: '',
  text: 'select id from people where id = $1 for no key update',
};

const INSERT: Statement = {
  name: '',
  text: `
    insert into saved_views (id, person_id, book_id, name, query, columns, is_shared, created_at)
    select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6::text[], $7::boolean, $8::timestamptz
    where (select count(*) from saved_views where book_id = $3 and person_id = $2) < $9::integer
    returning id`,
};
