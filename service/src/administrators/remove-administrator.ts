import { refuseRemoved } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { TeamDeps } from '../people/change-roles.ts';
import { closeAccountWithoutRoles } from '../people/close-account.ts';
import { withdrawProposals } from '../people/withdraw-proposals.ts';
import { lockAdministrators } from './add-administrator.ts';
import { endKey, listPresent, type PresentAdministrator } from './end-key.ts';

/**
 * Ends a person's key and takes back what they proposed. If they have no other role, all that opens their account ends
 * too. The last one stays: with no administrator left, any user of the machine could make themselves the first.
 */
export async function removeAdministrator(
  deps: TeamDeps,
  request: Readonly<{ actor: PersonActor; name: string }>,
): Promise<PresentAdministrator> {
  const { actor } = request;
  const at = deps.now();
  const removed = await deps.directory.transaction(async (tx) => {
    await lockAdministrators(tx);
    await refuseRemoved(tx, actor);
    const present = await listPresent(tx);
    const found = present.find(({ name }) => isSameName(name, request.name));
    if (found === undefined) throw new AdminRefused('ADMINISTRATOR_NOT_FOUND', {});
    if (present.length === 1) throw new AdminRefused('ADMINISTRATOR_IS_LAST', {});
    await endKey(tx, deps, { actor, id: found.id, at });
    await closeAccountWithoutRoles(tx, { personId: found.id, at });
    await recordAct(tx, deps, {
      actor,
      kind: 'ADMINISTRATOR_REMOVED',
      subject: found.name,
      merchantId: null,
      reason: null,
      before: { removed: false },
      after: { removed: true },
    });
    return found;
  });
  await withdrawProposals(deps, { id: removed.id, actor });
  return removed;
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.normalize('NFC').trim().toLowerCase();
}
