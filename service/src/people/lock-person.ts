import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/**
 * Factors of one person change one after the other: two that each count the other could leave none. A session that ended
 * while it waited changes nothing: the change before may have ended all that others had set up.
 */
export async function lockPerson(
  tx: Queryable,
  { personId, sessionId }: Readonly<{ personId: string; sessionId: string }>,
): Promise<void> {
  const locked = await tx.query(LOCK, [personId]);
  // A statement of its own: one that waits for a lock does not see what changed in other tables meanwhile.
  const open = await tx.query(FIND_SESSION, [sessionId, personId]);
  if (locked.length === 0 || open.length === 0) throw refuse('UNAUTHORIZED');
}

const LOCK: Statement = {
  name: '',
  text: 'select id from people where id = $1 and removed_at is null for update',
};

const FIND_SESSION: Statement = {
  name: '',
  text: 'select id from sessions where id = $1 and person_id = $2 and ended_at is null',
};
