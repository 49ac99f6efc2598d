import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** The person, the key, and the name by which people know either. */
type MakerValues = readonly [personId: string | null, keyId: string | null, name: string];

/** Who makes or changes a schedule, as its row keeps it. A key has the name that people gave it. */
export async function readMaker(tx: Queryable, bookId: string, actor: Actor): Promise<MakerValues> {
  if (actor.kind === 'person') return [actor.id, null, actor.name];
  if (actor.kind !== 'key') throw new Error('only people and keys make schedules');
  const [key] = await tx.query<{ name: string | null }>(KEY_NAME, [bookId, actor.id]);
  return [null, actor.id, key?.name ?? actor.id];
}

const KEY_NAME: Statement = {
  name: '',
  text: `select nullif(name, '') as name from api_keys where book_id = $1 and id = $2`,
};
