import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { type ApprovalRequirement, canFillAll } from '../domain/policy/assign-approvals.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { readApprovers } from './read-approvers.ts';

type Asked = Readonly<{
  book: Pick<Book, 'id' | 'merchantId'>;
  requirements: readonly ApprovalRequirement[];
  /** They cannot approve what they made. */
  makerIds: readonly string[];
}>;

/** Whether the people of the book could give these approvals: what no one can approve is refused, and never waits. */
export async function canBeGiven(
  database: Queryable,
  { book, requirements, makerIds }: Asked,
): Promise<boolean> {
  if (requirements.length === 0) return true;
  const approvers = await readApprovers(database, book);
  return canFillAll(
    requirements,
    approvers.filter(({ id }) => !makerIds.includes(id)),
  );
}

/** Who counts as the maker of what this actor orders: the person, or the person who made the key. */
export async function makersOf(
  database: Queryable,
  { bookId, actor }: Readonly<{ bookId: string; actor: Actor }>,
): Promise<readonly string[]> {
  if (actor.kind === 'person') return [actor.id];
  if (actor.kind !== 'key') return [];
  const rows = await database.query<{ created_by: string | null }>(KEY_MAKER, [bookId, actor.id]);
  return rows.flatMap(({ created_by }) => created_by ?? []);
}

const KEY_MAKER: Statement = {
  name: 'maker-of-key',
  text: 'select k.created_by from api_keys k where k.book_id = $1 and k.id = $2',
};
