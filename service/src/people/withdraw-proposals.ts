import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Withdraws what a person of the staff proposed: what they saw no longer counts as one of two people. `by` is null when
 * no person does it.
 */
export async function withdrawProposals(
  tx: Queryable,
  { id, by, at }: Readonly<{ id: string; by: string | null; at: Date }>,
): Promise<void> {
  await tx.query(WITHDRAW_RESOLUTIONS, [id, at, by]);
  await tx.query(WITHDRAW_TAKE_BACKS, [id, at, by]);
}

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
