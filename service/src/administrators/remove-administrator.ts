import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { withdrawProposalsOf } from '../resolutions/proposal.ts';
import { type Administrator, authenticateAdministrator } from './authenticate-administrator.ts';
import { type NoteDeps, noteAct } from './note-act.ts';

/**
 * Ends a person's key and takes back what they proposed. The last one stays: with nobody left, anybody
 * could make themselves the first.
 */
export async function removeAdministrator(
  deps: NoteDeps & Readonly<{ database: Database }>,
  request: Readonly<{ name: string; key: string | undefined }>,
): Promise<Administrator> {
  return deps.database.transaction(async (tx) => {
    // Two who remove each other take turns.
    await tx.query(LOCK);
    const administrator = await authenticateAdministrator(tx, request.key);
    const present = await tx.query<{ id: string; name: string }>(PRESENT);
    const removed = present.find(({ name }) => isSameName(name, request.name));
    if (removed === undefined) {
      throw new AdminRefused(
        'There is no administrator with this name.',
        '"administrators list" shows them all.',
      );
    }
    if (present.length === 1) {
      throw new AdminRefused(
        'This is the last administrator.',
        'Add another one first: "administrators add NAME".',
      );
    }
    const at = deps.now();
    await tx.query(REMOVE, [removed.id, at]);
    await withdrawProposalsOf(tx, { proposer: removed.id, by: administrator.id, at });
    const act = 'administrators remove';
    await noteAct(tx, deps, { administrator, act, subject: removed.name, detail: null });
    return removed;
  });
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.normalize('NFC').trim().toLowerCase();
}

const LOCK: Statement = { name: '', text: 'lock table administrators in share row exclusive mode' };

const PRESENT: Statement = {
  name: '',
  text: 'select id, name from administrators where removed_at is null order by name',
};

const REMOVE: Statement = {
  name: '',
  text: 'update administrators set removed_at = $2 where id = $1 and removed_at is null',
};
