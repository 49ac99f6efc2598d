import { authenticateAdministrator } from '../administrators/authenticate-administrator.ts';
import type { Actor, PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { AdminDeps } from './add-command.ts';

type AuthenticateDeps = Pick<AdminDeps, 'directory' | 'env' | 'machine'>;

/** The administrator whose key is in ADMIN_KEY. Some commands refuse everyone else. */
export async function requireAdministrator({
  directory,
  env,
}: AuthenticateDeps): Promise<PersonActor> {
  return authenticateAdministrator(directory, env['ADMIN_KEY']);
}

/**
 * Who acts: the administrator whose key is in ADMIN_KEY, or without one the user of the machine, who has the rights
 * of the owner of the tables. A key that opens nothing is refused rather than passed over.
 */
export async function authenticateActor(deps: AuthenticateDeps): Promise<Actor> {
  const key = deps.env['ADMIN_KEY']?.trim() ?? '';
  return key === '' ? deps.machine : requireAdministrator(deps);
}

/** The same for adding an administrator: where there is none yet, a key cannot open anything. */
export async function authenticateAdder(deps: AuthenticateDeps): Promise<Actor> {
  try {
    return await requireAdministrator(deps);
  } catch (error) {
    if (isAboutFirst(error)) return deps.machine;
    throw error;
  }
}

function isAboutFirst(error: unknown): boolean {
  return error instanceof AdminRefused && 'isFirst' in error.facts && error.facts.isFirst;
}
