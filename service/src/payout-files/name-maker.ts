import type { Actor } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import { type FileMaker, makerOf } from './payout-file.ts';

/** A key is known by the name that people gave it. */
export async function nameMaker(tx: Queryable, bookId: string, actor: Actor): Promise<FileMaker> {
  const maker = makerOf(actor);
  if (maker.keyId === null) return maker;
  const [key] = await tx.query<{ name: string | null }>(NAME_KEY, [bookId, maker.keyId]);
  return { ...maker, name: key?.name || maker.name };
}

const NAME_KEY: Statement = {
  name: '',
  text: 'select name from api_keys where book_id = $1 and id = $2',
};
