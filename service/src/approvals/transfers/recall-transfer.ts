import { recordAct } from '../../acts/record-act.ts';
import { actorCode, type PersonActor } from '../../domain/actor.ts';
import type { Book } from '../../domain/book.ts';
import { refuse } from '../../domain/refusal.ts';
import { type DecideDeps, moveOrRefuse, refuseUnlessWaiting } from './decide-transfer.ts';
import { findWaiting } from './find-waiting.ts';
import { endWaiting } from './leave-waiting.ts';

type RecallRequest = Readonly<{ book: Book; id: string; actor: PersonActor }>;

/** Its maker takes back what waits for approval. Its hold is released. */
export async function recallTransfer(
  deps: Omit<DecideDeps, 'routes'>,
  { book, id, actor }: RecallRequest,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const [found] = await findWaiting(tx, book, [id]);
    if (found === undefined) throw refuse('TRANSFER_NOT_FOUND');
    refuseUnlessWaiting(found);
    if (!found.subject.makerIds.includes(actor.id)) throw refuse('FORBIDDEN', NOT_MAKER);
    const { transfer } = found;
    await recordAct(tx, deps, {
      actor,
      kind: 'APPROVAL_RECALLED',
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { reference: transfer.reference, state: transfer.state },
      after: { state: 'cancelled' },
    });
    const move = endWaiting(transfer, { as: 'APPROVAL_RECALLED', actor: actorCode(actor) });
    await moveOrRefuse(tx, deps, { move, at: deps.now() });
  });
}

const NOT_MAKER = {
  message: 'Only its maker can recall it. Who may prepare payouts can cancel it.',
};
