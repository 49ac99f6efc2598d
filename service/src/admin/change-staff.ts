import { harmless } from '../domain/harmless-text.ts';
import { refuse } from '../domain/refusal.ts';
import type { StaffRole } from '../domain/roles.ts';
import { changeRoles, removePerson } from '../people/change-roles.ts';
import { endPersonSessions } from '../people/end-person-sessions.ts';
import { findByEmail } from '../people/list-team.ts';
import { STAFF } from '../people/team.ts';
import type { AdminDeps, Answer } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { warnOfUnansweredCells } from './warn-of-unanswered-cells.ts';

export async function changeStaffRoles(
  deps: AdminDeps,
  { email, roles }: Readonly<{ email: string; roles: readonly StaffRole[] }>,
): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const person = await findPerson(deps, email);
  await changeRoles(warnOfUnansweredCells(deps), {
    actor,
    team: STAFF,
    personId: person.id,
    roles: [...new Set(roles)].map((role) => ({ role, bookId: null })),
  });
  return {
    json: { person: { ...person, roles } },
    text: `${harmless(person.name)} has these roles now: ${roles.join(', ')}.`,
  };
}

export async function removeStaff(deps: AdminDeps, email: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const person = await findPerson(deps, email);
  await removePerson(warnOfUnansweredCells(deps), { actor, team: STAFF, personId: person.id });
  return { json: { person }, text: `${harmless(person.name)} is no longer of the staff.` };
}

export async function endSessions(deps: AdminDeps, email: string): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const person = await findPerson(deps, email);
  const ended = await endPersonSessions(deps, { actor, personId: person.id });
  return {
    json: { person, ended },
    text: `Sessions of ${harmless(person.name)} that were ended: ${ended}.`,
  };
}

async function findPerson({ directory }: AdminDeps, email: string) {
  const person = await findByEmail(directory, email);
  if (person === undefined) throw refuse('PERSON_NOT_FOUND');
  return person;
}
