import type { ActDeps } from '../../acts/act.ts';
import { recordAct } from '../../acts/record-act.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Database, Statement } from '../../postgres/database.ts';
import { hasAnyFactor } from '../find-factors.ts';
import { lockPerson } from '../lock-person.ts';

/** Removes a passkey of the person: it opens nothing any more. */
export async function removePasskey(
  deps: ActDeps & Readonly<{ directory: Database }>,
  {
    actor,
    sessionId,
    id,
    mustKeepOne,
  }: Readonly<{
    actor: PersonActor;
    sessionId: string;
    id: string;
    /** The person must have a second factor. */
    mustKeepOne: boolean;
  }>,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    await lockPerson(tx, { personId: actor.id, sessionId });
    const [removed] = await tx.query<{ name: string }>(REMOVE, [id, actor.id]);
    if (removed === undefined) throw refuse('NOT_FOUND', UNKNOWN);
    if (mustKeepOne && !(await hasAnyFactor(tx, actor.id))) throw refuse('INVALID_STATE', LAST);
    await recordAct(tx, deps, {
      actor,
      kind: 'PASSKEY_REMOVED',
      subject: id,
      merchantId: null,
      reason: null,
      before: { name: removed.name },
      after: null,
    });
  });
}

const UNKNOWN = { message: 'You have no passkey with this id.' };
const LAST = {
  message: 'This is your last second factor, and your roles need one. Add another first.',
};

const REMOVE: Statement = {
  name: '',
  text: 'delete from passkeys where id = $1 and person_id = $2 returning name',
};
