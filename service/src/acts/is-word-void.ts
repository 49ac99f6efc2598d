import { mayAsStaff, type StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * The people whose proposals count, by what the directory says itself. Read right before a transaction that decides
 * about a proposal: on another server the cell reads a copy, in which a role that was just taken away may still be there
 * for a moment.
 */
export async function readProposers(directory: Queryable): Promise<ReadonlySet<string>> {
  const rows = await directory.query<{ id: string; roles: StaffRole[] }>(READ_ALL);
  return new Set(rows.filter(({ roles }) => mayPropose(roles)).map(({ id }) => id));
}

/**
 * Whether what a person of the staff proposed no longer counts, because they lost the role by which they could. Roles
 * are the directory's, and proposals their cell's: what a cell did not hear of in time is found here.
 */
export async function isWordVoid(
  tx: Queryable,
  personId: string,
  inDirectory: ReadonlySet<string>,
): Promise<boolean> {
  if (!inDirectory.has(personId)) return true;
  const rows = await tx.query<{ role: StaffRole }>(READ, [personId]);
  return !mayPropose(rows.map(({ role }) => role));
}

function mayPropose(roles: readonly StaffRole[]): boolean {
  return mayAsStaff(roles, 'transfers:resolve');
}

const READ_ALL: Statement = {
  name: '',
  text: 'select person_id as id, array_agg(role) as roles from staff_roles group by person_id',
};

const READ: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1',
};
