import type { Queryable, Statement } from '../postgres/database.ts';

export type PresentAdministrator = Readonly<{ id: string; name: string }>;

/** Those who may act now. The table is locked. */
export async function listPresent(tx: Queryable): Promise<readonly PresentAdministrator[]> {
  return tx.query<{ id: string; name: string }>(PRESENT);
}

/**
 * Ends a person's key, staff roles and sessions, and withdraws what they proposed: what they saw no longer counts as
 * one of two people. `by` is null when no administrator does it.
 */
export async function endKey(
  tx: Queryable,
  { id, by, at }: Readonly<{ id: string; by: string | null; at: Date }>,
): Promise<void> {
  await tx.query(REMOVE, [id, at]);
  await tx.query(END_ROLES, [id]);
  await tx.query(END_SESSIONS, [id, at]);
  await tx.query(WITHDRAW_RESOLUTIONS, [id, at, by]);
  await tx.query(WITHDRAW_TAKE_BACKS, [id, at, by]);
}

const PRESENT: Statement = {
  name: '',
  text: 'select id, name from administrators where removed_at is null order by name',
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

const WITHDRAW_RESOLUTIONS: Statement = {
  name: '',
  text: `
    update proposals set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
    where proposed_by = $1 and ended_at is null`,
};

const WITHDRAW_TAKE_BACKS: Statement = {
  name: '',
  text: `
    update take_backs set ended_at = $2, ended_as = 'withdrawn', ended_by = $3
    where proposed_by = $1 and ended_at is null`,
};
