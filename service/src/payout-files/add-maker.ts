import { type Actor, actorCode } from '../domain/actor.ts';
import type { Queryable, Statement } from '../postgres/database.ts';

/** Counts the actor among the makers of a file, who cannot approve it; in the transaction that changes it. */
export async function addMaker(
  tx: Queryable,
  { bookId, id, actor }: Readonly<{ bookId: string; id: string; actor: Actor }>,
): Promise<void> {
  await tx.query(ADD, [bookId, id, actorCode(actor)]);
}

const ADD: Statement = {
  name: 'add-file-maker',
  text: `
    update payout_files set makers = makers || $3::text
    where book_id = $1 and id = $2 and not makers @> array[$3::text]`,
};
