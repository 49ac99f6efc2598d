import { recordAct } from '../../acts/record-act.ts';
import { type Actor, actorCode } from '../../domain/actor.ts';
import type { Book } from '../../domain/book.ts';
import { refuse } from '../../domain/refusal.ts';
import { type DecideDeps, moveOrRefuse, refuseUnlessWaiting } from './decide-transfer.ts';
import { findWaiting, type WaitingTransfer } from './find-waiting.ts';
import { endWaiting } from './leave-waiting.ts';

type RecallRequest = Readonly<{ book: Book; id: string; actor: Actor }>;

/**
 * Its maker takes back what waits for approval. Its hold is released. What no person made, because a key ordered it, is
 * taken back by any key or person that may pay.
 */
export async function recallTransfer(
  deps: Omit<DecideDeps, 'routes'>,
  { book, id, actor }: RecallRequest,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const [found] = await findWaiting(tx, book, [id]);
    if (found === undefined) throw refuse('TRANSFER_NOT_FOUND');
    refuseUnlessWaiting(found);
    if (!mayRecall(found, actor)) throw refuse('FORBIDDEN', NOT_MAKER);
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

function mayRecall({ maker, subject }: WaitingTransfer, actor: Actor): boolean {
  if (maker?.kind !== 'person') return true;
  return actor.kind === 'person' && subject.makerIds.includes(actor.id);
}

const NOT_MAKER = {
  message: 'Only the person who made it can recall it. An approver can reject it.',
};
