import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { actPlace, bookIdOf, type ControlOwner } from '../domain/control-owner.ts';
import { refuse } from '../domain/refusal.ts';
import { bumpControls } from '../policies/bump-controls.ts';
import type { Statement } from '../postgres/database.ts';
import type { ListDeps } from './add-entry.ts';
import {
  ENTRY_COLUMNS,
  type EntryRow,
  entryFacts,
  isInForce,
  type ListEntry,
  toEntry,
} from './list-entry.ts';

/** Takes a number off a list. The entry stays, with who ended it and why. */
export async function endEntry(
  deps: ListDeps,
  request: Readonly<{ actor: PersonActor; owner: ControlOwner; id: string; reason: string }>,
): Promise<ListEntry> {
  const { actor, owner, id, reason } = request;
  return actAs(deps, actor, async (tx) => {
    await bumpControls(tx, { bookId: owner === 'company' ? null : owner.bookId });
    const [found] = await tx.query<EntryRow>(LOCK, [bookIdOf(owner), id]);
    if (found === undefined) throw refuse('LIST_ENTRY_NOT_FOUND');
    const before = toEntry(found);
    const at = deps.now();
    if (!isInForce(before, at)) {
      throw refuse('INVALID_STATE', {
        message: 'This entry has ended already, so the number is not on the list by it.',
      });
    }
    const [row] = await tx.query<EntryRow>(END, [
      bookIdOf(owner),
      id,
      at,
      actor.id,
      actor.name,
      reason,
    ]);
    if (row === undefined) throw new Error('the entry is locked and still was not ended');
    await recordAct(tx, deps, {
      actor,
      kind: 'LIST_ENTRY_ENDED',
      subject: id,
      ...actPlace(owner),
      reason,
      before: entryFacts(before),
      after: null,
    });
    return toEntry(row);
  });
}

const LOCK: Statement = {
  name: '',
  text: `select ${ENTRY_COLUMNS} from list_entries e where e.book_id = $1 and e.id = $2 for update`,
};

const END: Statement = {
  name: '',
  text: `
    update list_entries e
    set ended_at = $3, ended_by = $4, ended_by_name = $5, end_reason = $6
    where e.book_id = $1 and e.id = $2 and e.ended_at is null
    returning ${ENTRY_COLUMNS}`,
};
