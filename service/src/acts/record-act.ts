import type { Actor } from '../domain/actor.ts';
import { nameActor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Act, ActDeps } from './act.ts';

const REASON_LENGTH_MAX = 1_000;

/** Records an act in the transaction that does it: neither can be without the other. */
export async function recordAct(tx: Queryable, deps: ActDeps, act: Act): Promise<void> {
  await tx.query(RECORD, [
    deps.newId(),
    act.actor.kind,
    act.actor.kind === 'administrator' ? act.actor.id : null,
    nameUnlessKnown(act.actor),
    act.kind,
    act.subject,
    act.merchantId,
    act.reason?.slice(0, REASON_LENGTH_MAX) ?? null,
    act.before === null ? null : JSON.stringify(act.before),
    act.after === null ? null : JSON.stringify(act.after),
    deps.now(),
  ]);
}

/** An administrator is named by the row of its id, which is never deleted. */
function nameUnlessKnown(actor: Actor): string | null {
  return actor.kind === 'administrator' ? null : nameActor(actor);
}

const RECORD: Statement = {
  name: '',
  text: `
    insert into administrator_acts (
      id, actor_kind, administrator_id, actor_name, kind, subject, merchant_id, reason, before, after,
      acted_at
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11)`,
};
