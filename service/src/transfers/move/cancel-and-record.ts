import type { ActDeps } from '../../acts/act.ts';
import { recordAct } from '../../acts/record-act.ts';
import { type Actor, actorCode } from '../../domain/actor.ts';
import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { TransferState } from '../../domain/transfer-state.ts';
import { type CancelDeps, cancelTransfer } from './cancel-transfer.ts';

export type CancelAndRecordDeps = CancelDeps & ActDeps;

/** What waits for approval is recalled by its maker, or rejected. */
const CANCELLABLE: readonly TransferState[] = ['queued', 'scheduled'];

/**
 * Cancels a transfer, and records that the merchant did so. The move is committed with others in a group, so the record
 * comes after it: a process that ends in between leaves the event alone, which names the actor too.
 */
export async function cancelAndRecord(
  deps: CancelAndRecordDeps,
  { book, id, actor }: Readonly<{ book: Book; id: string; actor: Actor }>,
): Promise<Transfer> {
  const transfer = await cancelTransfer(deps, {
    book,
    id,
    actor: actorCode(actor),
    from: CANCELLABLE,
  });
  await recordAct(deps.database, deps, {
    actor,
    kind: 'TRANSFER_CANCELLED',
    subject: id,
    merchantId: book.merchantId,
    bookId: book.id,
    reason: null,
    before: null,
    after: { state: transfer.state, reference: transfer.reference },
  });
  return transfer;
}
