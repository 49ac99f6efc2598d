import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';

/**
 * Runs a transaction in which the actor acts. The driver authenticated a person before it began; here the person is
 * looked at once more, and stays one of the staff or of the merchant until the transaction ends.
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

/** Keeps a person one of the staff or of the merchant until the transaction ends; refuses one just removed. */
export async function refuseRemoved(tx: Queryable, actor: Actor): Promise<void> {
  if (actor.kind !== 'person') return;
  if (actor.merchantId !== undefined) {
    const member = await tx.query(MEMBER, [actor.id, actor.merchantId]);
    if (member.length === 0) throw refuse('FORBIDDEN');
    return;
  }
  const present = await tx.query(PRESENT, [actor.id]);
  if (present.length === 0) throw new AdminRefused('ADMINISTRATOR_REMOVED', {});
}

const PRESENT: Statement = {
  name: '',
  text: 'select role from staff_roles where person_id = $1 for share',
};

const MEMBER: Statement = {
  name: '',
  text: 'select role from merchant_roles where person_id = $1 and merchant_id = $2 for share',
};
