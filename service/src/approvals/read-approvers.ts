import type { Book } from '../domain/book.ts';
import { shareTeam } from '../people/team.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { APPROVING_ROLES, type Approver, type ApprovingRole } from './approval.ts';

/** More people than any merchant has approve by role; the rest would only make the lists long. */
const APPROVERS_MAX = 1_000;

type InBook = Pick<Book, 'id' | 'merchantId'>;

/** The people who may approve in a book, by their names. */
export async function readApprovers(
  database: Queryable,
  { id, merchantId }: InBook,
): Promise<readonly Approver[]> {
  const values = [merchantId, id, APPROVING_ROLES, APPROVERS_MAX];
  const rows = await database.query<ApproverRow>(READ, values);
  return rows;
}

/**
 * The same, and until the transaction ends no role of the merchant changes: who is removed at the same time either no
 * longer counts, or waits. Call it before wallets and transfers are locked.
 *
 * `inDirectory`: those whom the directory itself named right before the transaction. On another server than the
 * directory's the cell reads a copy, in which a role that was just taken away may still be there for a moment. Undefined:
 * the caller decides nothing by them that sends money.
 */
export async function lockApprovers(
  tx: Queryable,
  book: InBook,
  inDirectory: readonly Approver[] | undefined,
): Promise<readonly Approver[]> {
  await shareTeam(tx, { merchantId: book.merchantId });
  const here = await readApprovers(tx, book);
  if (inDirectory === undefined) return here;
  const rolesOf = new Map(inDirectory.map(({ id, roles }) => [id, roles]));
  return here
    .map((person) => ({
      ...person,
      roles: person.roles.filter((role) => rolesOf.get(person.id)?.includes(role) === true),
    }))
    .filter(({ roles }) => roles.length > 0);
}

type ApproverRow = { id: string; name: string; roles: ApprovingRole[] };

const READ: Statement = {
  name: '',
  text: `
    select p.id, p.name, array_agg(distinct r.role order by r.role) as roles
    from merchant_roles r
    join people p on p.id = r.person_id
    where r.merchant_id = $1 and (r.book_id is null or r.book_id = $2) and r.role = any ($3::text[])
      and p.removed_at is null
    group by p.id, p.name
    order by p.name, p.id
    limit $4`,
};
