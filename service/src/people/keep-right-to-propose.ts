import { PROPOSER_ROLES } from '../acts/is-proposal-void.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Since when a person of the staff has had roles by which they may propose; undefined: they have none. */
export async function readRightToPropose(
  tx: Queryable,
  personId: string,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ since: Date | null }>(READ, [personId, PROPOSER_ROLES]);
  return row?.since ?? undefined;
}

/**
 * Dates the roles by which a person may propose back to when they first could. After a change of roles, in the same
 * transaction: what a person proposed by one role counts on by another that they have at once in its place.
 */
export async function keepRightToPropose(
  tx: Queryable,
  { personId, since }: Readonly<{ personId: string; since: Date | undefined }>,
): Promise<void> {
  if (since !== undefined) await tx.query(KEEP, [personId, PROPOSER_ROLES, since]);
}

const READ: Statement = {
  name: '',
  text: `
    select min(given_at) as since from staff_roles
    where person_id = $1 and role = any ($2::text[])`,
};

const KEEP: Statement = {
  name: '',
  text: `
    update staff_roles set given_at = $3
    where person_id = $1 and role = any ($2::text[]) and given_at > $3`,
};
