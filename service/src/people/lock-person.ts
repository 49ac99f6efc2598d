import { refuse } from '../domain/refusal.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Factors of one person change one after the other: two that each count the other could leave none. */
export async function lockPerson(tx: Queryable, personId: string): Promise<void> {
  const locked = await tx.query(LOCK, [personId]);
  if (locked.length === 0) throw refuse('UNAUTHORIZED');
}

const LOCK: Statement = {
  name: '',
  text: 'select id from people where id = $1 and removed_at is null for update',
};
