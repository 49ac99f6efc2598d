import type { ActDeps } from '../acts/act.ts';
import type { Actor } from '../domain/actor.ts';
import { lockAccount } from '../people/close-account.ts';
import { STAFF } from '../people/team.ts';
import { withdrawInvitationsOf } from '../people/withdraw-invitation.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

export type PresentAdministrator = Readonly<{ id: string; name: string }>;

/** Those whose keys open something now. The table is locked. */
export async function listPresent(tx: Queryable): Promise<readonly PresentAdministrator[]> {
  return tx.query<{ id: string; name: string }>(PRESENT);
}

/**
 * Ends a person's key, staff roles and sessions, and withdraws whom they invited. What they proposed is withdrawn after
 * the transaction, since it is in its cell (people/withdraw-proposals.ts). The caller then closes an account without roles
 * (people/close-account.ts): a person who is replaced by themselves gets their role back first.
 */
export async function endKey(
  tx: Queryable,
  deps: ActDeps,
  { actor, id, at }: Readonly<{ actor: Actor; id: string; at: Date }>,
): Promise<void> {
  await lockAccount(tx, id);
  await tx.query(REMOVE, [id, at]);
  await tx.query(END_ROLES, [id]);
  await tx.query(END_SESSIONS, [id, at]);
  await withdrawInvitationsOf(tx, deps, { actor, team: STAFF, personId: id });
}

const PRESENT: Statement = {
  name: '',
  text: `
    select a.id, a.name
    from administrators a
    join staff_roles r on r.person_id = a.id and r.role = 'admin'
    where a.removed_at is null
    order by a.name`,
};

const REMOVE: Statement = {
  name: '',
  text: 'update administrators set removed_at = $2 where id = $1 and removed_at is null',
};

const END_ROLES: Statement = {
  name: '',
  text: 'delete from staff_roles where person_id = $1',
};

const END_SESSIONS: Statement = {
  name: '',
  text: 'update sessions set ended_at = $2 where person_id = $1 and ended_at is null',
};
