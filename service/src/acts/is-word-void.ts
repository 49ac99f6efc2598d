import { mayAsStaff, type StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Whether what a person of the staff proposed no longer counts, because they lost the role by which they could. Roles
 * are the directory's, and proposals their cell's: what a cell did not hear of in time is found here.
 */
export async function isWordVoid(tx: Queryable, personId: string): Promise<boolean> {
  const rows = await tx.query<{ role: StaffRole }>(READ, [personId]);
  return !mayAsStaff(
    rows.map(({ role }) => role),
    'transfers:resolve',
  );
}

const READ: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1',
};
