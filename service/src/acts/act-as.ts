import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/**
 * Runs a transaction in which the actor acts. The driver authenticated an administrator before it began; here it
 * is looked at once more, and stays an administrator until the transaction ends.
 */
export async function actAs<Result>(
  { database }: Readonly<{ database: Database }>,
  actor: Actor,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await refuseRemoved(tx, actor);
    return work(tx);
  });
}

/** Keeps an administrator one until the transaction ends; refuses one who was removed a moment ago. */
export async function refuseRemoved(tx: Queryable, actor: Actor): Promise<void> {
  if (actor.kind !== 'administrator') return;
  const present = await tx.query(PRESENT, [actor.id]);
  if (present.length === 0) throw new AdminRefused('ADMINISTRATOR_REMOVED', {});
}

const PRESENT: Statement = {
  name: '',
  text: 'select id from administrators where id = $1 and removed_at is null for share',
};
