import { recordAct } from '../acts/record-act.ts';
import type { MachineActor } from '../domain/actor.ts';
import { nameActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { TeamDeps } from '../people/change-roles.ts';
import { closeAccountWithoutRoles } from '../people/close-account.ts';
import { withdrawProposals } from '../people/withdraw-proposals.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import {
  type AddDeps,
  type AddedAdministrator,
  giveKey,
  lockAdministrators,
  readAdministratorName,
} from './add-administrator.ts';
import { endKey, listPresent } from './end-key.ts';

export type Replaced = Readonly<{ added: AddedAdministrator; ended: string }>;

/**
 * Ends the key of a lone administrator, who lost it or is gone, and gives one to a person: the same or another. For
 * a user of the machine with the rights of the owner of the tables, who could do as much by hand; so it is done
 * where it is recorded, with the account and the host, and written to the log of the database server.
 */
export async function replaceAdministrator(
  deps: AddDeps & TeamDeps,
  request: Readonly<{ actor: MachineActor; name: string; reason: string }>,
): Promise<Replaced> {
  const { actor, reason } = request;
  const name = readAdministratorName(request.name);
  const at = deps.now();
  const { added, lone } = await deps.directory.transaction(async (tx) => {
    await refuseOthersThanOwner(tx);
    await lockAdministrators(tx);
    const present = await listPresent(tx);
    const [only] = present;
    // Where there are two, one of them can act and be held to it.
    if (only === undefined || present.length > 1) {
      throw new AdminRefused('ADMINISTRATOR_NOT_ALONE', { others: present.length });
    }
    await endKey(tx, deps, { actor, id: only.id, at });
    const given = await giveKey(tx, deps, name);
    await closeAccountWithoutRoles(tx, { personId: only.id, at });
    await recordAct(tx, deps, {
      actor,
      kind: 'ADMINISTRATOR_REPLACED',
      subject: given.name,
      merchantId: null,
      reason,
      before: { administrator: only.name },
      after: { administrator: given.name },
    });
    const what = `kafue: the lone administrator ${only.name} was replaced by ${given.name}`;
    await tx.query(LOG, [`${what} from the machine, by ${nameActor(actor)}: ${reason}`]);
    return { added: given, lone: only };
  });
  await withdrawProposals(deps, { id: lone.id, actor });
  return { added, ended: lone.name };
}

async function refuseOthersThanOwner(tx: Queryable): Promise<void> {
  const [row] = await tx.query<{ owns: boolean }>(OWNS);
  if (row?.owns !== true) throw new AdminRefused('OWNER_NEEDED', {});
}

const OWNS: Statement = {
  name: '',
  text: `
    select pg_has_role(current_user, c.relowner, 'usage') as owns
    from pg_class c
    where c.oid = to_regclass('administrators')`,
};

const LOG: Statement = { name: '', text: 'select write_server_log($1)' };
