import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { endSessionsOf } from './end-sessions.ts';
import { lockTeam, refuseUnlessMayChange, STAFF } from './team.ts';

/** Ends every session of a person, of the staff or of a merchant. The person can sign in again. Returns how many. */
export async function endPersonSessions(
  deps: ActDeps & Readonly<{ directory: Database }>,
  { actor, personId }: Readonly<{ actor: Actor; personId: string }>,
): Promise<number> {
  return deps.directory.transaction(async (tx) => {
    refuseUnlessMayChange(actor, STAFF, await lockTeam(tx, STAFF));
    const [person] = await tx.query<{ name: string; email: string | null }>(FIND, [personId]);
    if (person === undefined) throw refuse('PERSON_NOT_FOUND');
    const ended = await endSessionsOf(tx, { personId, at: deps.now() });
    await recordAct(tx, deps, {
      actor,
      kind: 'SESSIONS_ENDED',
      subject: personId,
      merchantId: null,
      reason: null,
      before: { name: person.name, email: person.email, sessions: ended },
      after: { sessions: 0 },
    });
    return ended;
  });
}

const FIND: Statement = { name: '', text: 'select name, email from people where id = $1' };
