import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/**
 * Runs a transaction in which the actor acts. The driver authenticated a person of the staff before it began; here the
 * person is looked at once more, and stays one of the staff until the transaction ends.
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

/** Keeps a person one of the staff until the transaction ends; refuses one who was removed a moment ago. */
export async function refuseRemoved(tx: Queryable, actor: Actor): Promise<void> {
  if (actor.kind !== 'person') return;
  const present = await tx.query(PRESENT, [actor.id]);
  if (present.length === 0) throw new AdminRefused('ADMINISTRATOR_REMOVED', {});
}

const PRESENT: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1 for share',
};
