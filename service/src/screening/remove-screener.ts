import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { actPlace, bookIdOf, type ControlOwner } from '../domain/control-owner.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { refuseIfScreenerIsUsed } from './refuse-if-screener-is-used.ts';
import { SCREENER_COLUMNS, type ScreenerRow, screenerFacts, toScreener } from './screener.ts';

/** Removes a screener. What a rule would ask it then waits for a person. */
export async function removeScreener(
  deps: ActDeps & Readonly<{ database: Database }>,
  request: Readonly<{ actor: PersonActor; owner: ControlOwner; id: string }>,
): Promise<void> {
  const { actor, owner, id } = request;
  await actAs(deps, actor, async (tx) => {
    const [row] = await tx.query<ScreenerRow>(REMOVE, [bookIdOf(owner), id, deps.now()]);
    if (row === undefined) throw refuse('SCREENER_NOT_FOUND');
    const screener = toScreener(row);
    await refuseIfScreenerIsUsed(tx, screener);
    await recordAct(tx, deps, {
      actor,
      kind: 'SCREENER_REMOVED',
      subject: id,
      ...actPlace(owner),
      reason: null,
      before: screenerFacts(screener),
      after: null,
    });
  });
}

// The row stays, because attempts name it.
const REMOVE: Statement = {
  name: '',
  text: `
    update screeners s set removed_at = $3
    where s.book_id = $1 and s.id = $2 and s.removed_at is null
    returning ${SCREENER_COLUMNS}`,
};
