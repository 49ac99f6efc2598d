import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * The person of the session shows a second factor of the account. In a session of single sign-on the issuer vouched for the
 * same person, so all that is set up is theirs, and no later sign-on resets it. Before other rows are locked: a reset
 * locks the person first, too.
 */
export async function vouchBySession(
  tx: Queryable,
  { sessionId, at }: Readonly<{ sessionId: string; at: Date }>,
): Promise<void> {
  await tx.query(VOUCH, [sessionId, at]);
}

const VOUCH: Statement = {
  name: 'vouch-by-session',
  text: `
    update people set vouched_at = $2
    where vouched_at is null
      and id = (select person_id from sessions where id = $1 and by_single_sign_on and ended_at is null)`,
};
