import { mayAsStaff, STAFF_ROLES, type StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Each of them allows a person of the staff to propose. */
export const PROPOSER_ROLES = STAFF_ROLES.filter((role) => mayAsStaff([role], 'transfers:resolve'));

/** Since when each person who may propose has a role for it. */
export type Proposers = ReadonlyMap<string, Date>;

/**
 * The people whose proposals count, by what the directory says itself. Read right before a transaction that decides
 * about a proposal: on another server the cell reads a copy, in which a role that was just taken away may still be there
 * for a moment.
 */
export async function readProposers(directory: Queryable): Promise<Proposers> {
  const rows = await directory.query<RoleRow>(READ_ALL);
  const proposers = new Map<string, Date>();
  for (const { id, role, given_at: at } of rows) {
    if (!proposers.has(id) && mayPropose(role)) proposers.set(id, at);
  }
  return proposers;
}

/**
 * Whether what a person of the staff proposed no longer counts, because they lost the role by which they could. Roles
 * are stored in the directory and proposals in their cell, so a cell may learn of a lost role too late: this finds it. A
 * role that was given after the proposal does not count for it: the person may have been without one in between. One that
 * took the place of another is as old as that one (people/keep-right-to-propose.ts). `given_at` is by the clock of the directory, and
 * `proposed_at` by that of the process. They differ by less than it takes people to take a role away and give it again; a
 * person who proposes within that time of getting the role has to do it again.
 */
export async function isProposalVoid(
  tx: Queryable,
  { proposedBy, proposedAt }: Readonly<{ proposedBy: Readonly<{ id: string }>; proposedAt: Date }>,
  inDirectory: Proposers,
): Promise<boolean> {
  const since = inDirectory.get(proposedBy.id);
  if (since === undefined || since > proposedAt) return true;
  const rows = await tx.query<RoleRow>(READ, [proposedBy.id]);
  return !rows.some(({ role, given_at: at }) => mayPropose(role) && at <= proposedAt);
}

function mayPropose(role: StaffRole): boolean {
  return PROPOSER_ROLES.includes(role);
}

type RoleRow = { id: string; role: StaffRole; given_at: Date };

const READ_ALL: Statement = {
  name: '',
  text: 'select person_id as id, role, given_at from staff_roles order by given_at',
};

const READ: Statement = {
  name: '',
  text: 'select person_id as id, role, given_at from staff_roles where person_id = $1',
};
