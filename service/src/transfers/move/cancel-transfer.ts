import type { Book } from '../../domain/book.ts';
import { causeOf } from '../../domain/cause.ts';
import { refuse } from '../../domain/refusal.ts';
import type { NextStep } from '../../domain/standing.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { mayMove, type TransferState } from '../../domain/transfer-state.ts';
import type { CommitQueue } from '../../postgres/commit-queue.ts';
import type { Database } from '../../postgres/database.ts';
import { findTransfer } from '../read/find-transfer.ts';
import type { Move } from './move-transfers.ts';

export type CancelDeps = Readonly<{
  database: Database;
  moves: Pick<CommitQueue<Move, boolean>, 'submit'>;
}>;

type CancelRequest = Readonly<{
  book: Book;
  id: string;
  actor: string;
  /** The states in which it may be cancelled. Left out: every one in which it was not sent. */
  from?: readonly TransferState[];
}>;

/** Cancels a transfer that has provably not been sent to an operator, and releases its hold. */
export async function cancelTransfer(deps: CancelDeps, request: CancelRequest): Promise<Transfer> {
  const key = { bookId: request.book.id, mode: request.book.mode, id: request.id };
  const transfer = await findTransfer(deps.database, key);
  if (transfer === undefined) throw refuse('TRANSFER_NOT_FOUND');
  const { actor, from } = request;
  const { state } = transfer;
  if (!mayMove(state, 'cancelled') || from?.includes(state) === false) {
    throw refuse('INVALID_STATE', state === 'awaiting_approval' ? AWAITS_APPROVAL : {});
  }
  const moved = await deps.moves.submit({
    transfer,
    step: CANCEL,
    actor,
    needsLease: false,
    anyRoute: true,
    leaseFor: null,
  });
  // The dispatcher was faster: the transfer is being submitted.
  if (!moved) throw refuse('INVALID_STATE');
  const cancelled = await findTransfer(deps.database, key);
  if (cancelled === undefined) throw new Error('a cancelled transfer is gone');
  return cancelled;
}

const AWAITS_APPROVAL = {
  message: 'It waits for approval. Its maker can recall it, and an approver can reject it.',
};

const CANCEL: NextStep = {
  to: 'cancelled',
  cause: causeOf('CANCELLED_BY_MERCHANT'),
  failure: 'CANCELLED',
  operatorTransactionId: null,
  nextActionInMs: null,
  checks: 0,
  notFoundAnswers: 0,
  needsPerson: false,
};
