import type { Book } from '../../domain/book.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Queryable } from '../../postgres/database.ts';
import { judgeApprovals } from '../judge-approvals.ts';
import { readApprovers } from '../read-approvers.ts';
import { findWaiting } from './find-waiting.ts';

/** For what a transfer in `awaiting_approval` waits. */
export type WaitsFor = Readonly<{
  people: boolean;
  /** For the answer of one at least. */
  screener: boolean;
  /** A screener did not allow it, so one person more must approve it. */
  isHeldByScreener: boolean;
}>;

export async function readWaitsFor(
  database: Queryable,
  book: Pick<Book, 'id' | 'mode' | 'merchantId'>,
  id: string,
): Promise<WaitsFor> {
  const [found] = await findWaiting(database, book, [id]);
  if (found === undefined) throw refuse('TRANSFER_NOT_FOUND');
  const { subject, isHeldByScreener } = found;
  const { isScreened: screener } = subject;
  const { needed, given } = judgeApprovals(subject, await readApprovers(database, book));
  // What has all its approvals takes one more, unless it goes on by itself in a moment.
  return { people: given < needed || !screener, screener, isHeldByScreener };
}
