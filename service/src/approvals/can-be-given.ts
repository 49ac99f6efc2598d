import { type Actor, actorCode } from '../domain/actor.ts';
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
  return findPeopleOfActors(database, { bookId, codes: [actorCode(actor)] });
}

/** The people behind codes of actors. */
export async function findPeopleOfActors(
  database: Queryable,
  { bookId, codes }: Readonly<{ bookId: string; codes: readonly string[] }>,
): Promise<readonly string[]> {
  const [row] = await database.query<{ people: readonly string[] }>(PEOPLE_BEHIND, [bookId, codes]);
  return row?.people ?? [];
}

const PEOPLE_BEHIND: Statement = {
  name: 'people-behind',
  text: 'select people_behind($1, $2::text[]) as people',
};
