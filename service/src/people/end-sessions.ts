import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { PeopleDeps } from './people-deps.ts';

/** Signs out. */
export async function endSession(
  { directory, now }: Pick<PeopleDeps, 'directory' | 'now'>,
  sessionId: string,
): Promise<void> {
  await directory.query(END, [sessionId, now()]);
}

/** Ends another session of the same person, as when a laptop was lost. */
export async function endOwnSession(
  deps: Pick<PeopleDeps, 'directory' | 'now' | 'newId'>,
  { actor, sessionId }: Readonly<{ actor: PersonActor; sessionId: string }>,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    const [ended] = await tx.query<{ address: string }>(END_OWN, [sessionId, actor.id, deps.now()]);
    if (ended === undefined) throw refuse('SESSION_NOT_FOUND');
    await recordAct(tx, deps, {
      actor,
      kind: 'SESSION_ENDED',
      subject: sessionId,
      merchantId: null,
      reason: null,
      before: { address: ended.address },
      after: null,
    });
  });
}

/** Ends all sessions of a person; `exceptId` stays. Returns how many. */
export async function endSessionsOf(
  tx: Queryable,
  {
    personId,
    exceptId = null,
    at,
  }: Readonly<{ personId: string; exceptId?: string | null; at: Date }>,
): Promise<number> {
  const ended = await tx.query(END_ALL, [personId, exceptId, at]);
  return ended.length;
}

const END: Statement = {
  name: '',
  text: 'update sessions set ended_at = $2 where id = $1 and ended_at is null',
};

const END_OWN: Statement = {
  name: '',
  text: `
    update sessions set ended_at = $3
    where id = $1 and person_id = $2 and ended_at is null and expires_at > $3
    returning address`,
};

const END_ALL: Statement = {
  name: '',
  text: `
    update sessions set ended_at = $3
    where person_id = $1 and ended_at is null and id is distinct from $2::uuid
    returning id`,
};
