import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Ends the key for the command line of a person who is no admin any more, if they have one: it would open everything
 * again with the role. The staff is locked.
 */
export async function endAdminKey(
  tx: Queryable,
  deps: ActDeps,
  { actor, personId }: Readonly<{ actor: Actor; personId: string }>,
): Promise<void> {
  const [ended] = await tx.query<{ name: string }>(END, [personId, deps.now()]);
  if (ended === undefined) return;
  await recordAct(tx, deps, {
    actor,
    kind: 'ADMINISTRATOR_REMOVED',
    subject: ended.name,
    merchantId: null,
    reason: null,
    before: { removed: false },
    after: { removed: true },
  });
}

const END: Statement = {
  name: '',
  text: `
    update administrators set removed_at = $2 where id = $1 and removed_at is null
    returning name`,
};
