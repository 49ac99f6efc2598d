import { nameActor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { Act, ActDeps } from './act.ts';

const REASON_LENGTH_MAX = 1_000;

/** Records an act in the transaction that does it: neither can be without the other. */
export async function recordAct(tx: Queryable, deps: ActDeps, act: Act): Promise<void> {
  const { actor } = act;
  await tx.query(RECORD, [
    deps.newId(),
    actor.kind,
    actor.kind === 'person' || actor.kind === 'key' ? actor.id : null,
    nameActor(actor),
    act.kind,
    act.subject,
    act.merchantId,
    act.bookId ?? null,
    act.reason?.slice(0, REASON_LENGTH_MAX) ?? null,
    act.before === null ? null : JSON.stringify(act.before),
    act.after === null ? null : JSON.stringify(act.after),
    deps.now(),
    actor.kind === 'person' && actor.merchantId !== undefined,
  ]);
}

const RECORD: Statement = {
  name: '',
  text: `
    insert into acts (
      id, actor_kind, actor_id, actor_name, kind, subject, merchant_id, book_id, reason, before, after, acted_at,
      as_member
    )
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12, $13)`,
};
