import type { ActDeps } from '../acts/act.ts';
import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { refuse } from '../domain/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { endWaitingRows } from './end-waiting-rows.ts';
import { lockDraftContent } from './find-draft-content.ts';
import { AT_ONCE, moveFile } from './move-file.ts';

export type CancelFileDeps = ActDeps & Readonly<{ database: Database }>;

/**
 * Cancels a submitted file: rows whose turn has not come are not paid, and transfers that have not left are cancelled
 * too, a moment later. What has left stays as it is.
 */
export async function cancelFile(
  deps: CancelFileDeps,
  { book, actor, id }: Readonly<{ book: Book; actor: Actor; id: string }>,
): Promise<void> {
  const key = { bookId: book.id, id };
  await actAs(deps, actor, async (tx) => {
    const file = await lockDraftContent(tx, key);
    if (file.state === 'cancelled') return;
    const endedAs = file.state === 'awaiting_approval' ? 'APPROVAL_RECALLED' : 'CANCELLED';
    const moved = await moveFile(tx, {
      ...key,
      from: ['awaiting_approval', 'scheduled', 'paying'],
      to: 'cancelled',
      actor,
      cause: 'CANCELLED_BY_MERCHANT',
      at: deps.now(),
      due: AT_ONCE,
      endedAs,
    });
    if (!moved) {
      throw refuse('INVALID_STATE', {
        message: `The file is ${file.state}. Only a submitted file that is not done can be cancelled; a draft is deleted.`,
      });
    }
    await endWaitingRows(tx, { ...key, code: endedAs });
    await recordAct(tx, deps, {
      actor,
      kind: 'PAYOUT_FILE_CANCELLED',
      subject: id,
      merchantId: book.merchantId,
      bookId: book.id,
      reason: null,
      before: { state: file.state },
      after: { state: 'cancelled', name: file.name },
    });
  });
}
