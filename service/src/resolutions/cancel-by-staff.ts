import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import { actorCode, type PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import { causeOf } from '../domain/cause.ts';
import type { NextStep } from '../domain/standing.ts';
import { mayMove } from '../domain/transfer-state.ts';
import { moveTransfers } from '../transfers/move/move-transfers.ts';
import { type FoundTransfer, findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** Cancels a transfer that has provably not been sent, for the merchant. Its hold is released. */
export async function cancelByStaff(
  deps: PeopleDeps,
  request: Readonly<{ actor: PersonActor; id: string; reason: string }>,
): Promise<FoundTransfer> {
  const { actor, reason } = request;
  return actAs(deps, actor, async (tx) => {
    const { transfer, merchantId } = await findAnyTransfer(tx, request.id);
    const { state, id, bookId } = transfer;
    if (!mayMove(state, 'cancelled')) throw new AdminRefused('CANCEL_STATE', { state });
    const move = {
      transfer,
      step: CANCEL,
      actor: actorCode(actor),
      needsLease: false,
      anyRoute: true,
      leaseFor: null,
    };
    const group = { moves: [move], mover: deps.newId(), at: deps.now() };
    const [moved] = await moveTransfers(tx, group);
    // The dispatcher was faster: it is being submitted.
    if (moved !== true) throw new AdminRefused('CANCEL_STATE', { state: 'submitting' });
    await recordAct(tx, deps, {
      actor,
      kind: 'TRANSFER_CANCELLED',
      subject: id,
      merchantId,
      bookId,
      reason,
      before: { state },
      after: { state: 'cancelled' },
    });
    return findAnyTransfer(tx, id);
  });
}

const CANCEL: NextStep = {
  to: 'cancelled',
  cause: causeOf('CANCELLED_BY_STAFF'),
  failure: 'CANCELLED',
  operatorTransactionId: null,
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
