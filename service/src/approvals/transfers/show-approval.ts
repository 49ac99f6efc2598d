import type { Book } from '../../domain/book.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { ShownApproval } from '../../views/render-transfer.ts';
import { readApprovers } from '../read-approvers.ts';
import { showSubject } from '../show-subject.ts';
import { findWaiting } from './find-waiting.ts';

/** Who must approve a transfer and who did; null: no approval was asked for. Costs nothing for such a transfer. */
export async function showApproval(
  database: Queryable,
  {
    book,
    transfer,
    personId,
  }: Readonly<{ book: Book; transfer: Transfer; personId: string | null }>,
): Promise<ShownApproval | null> {
  const isAwaiting = transfer.state === 'awaiting_approval';
  if (!isAwaiting && transfer.approvalsNeeded === null) return null;
  const [found] = await findWaiting(database, book, [transfer.id]);
  if (found === undefined) return null;
  const { subject, maker } = found;
  const approvers = await readApprovers(database, book);
  const expiresAt = transfer.nextActionAt;
  return showSubject({ ...subject, isAwaiting, expiresAt, maker }, { approvers, personId });
}
