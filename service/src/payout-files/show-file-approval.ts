import { readApprovers } from '../approvals/read-approvers.ts';
import { showSubject } from '../approvals/show-subject.ts';
import type { Book } from '../domain/book.ts';
import type { Queryable } from '../postgres/database.ts';
import type { ShownApproval } from '../views/render-transfer.ts';
import { type FileLeft, findAwaitingFiles } from './file-approvals.ts';
import type { PayoutFile } from './payout-file.ts';

export type ShownFileApproval = ShownApproval & FileLeft;

/** Who must approve a payout file and who did, and what is left of it; null: it does not wait, and no person decided about it. */
export async function showFileApproval(
  database: Queryable,
  { book, file, personId }: Readonly<{ book: Book; file: PayoutFile; personId: string | null }>,
): Promise<ShownFileApproval | null> {
  if (file.submittedAt === null) return null;
  const [found] = await findAwaitingFiles(database, book, [file.id]);
  if (found === undefined) return null;
  if (!found.isAwaiting && found.decisions.length === 0) return null;
  const { rowsLeft, amountLeft } = found.shown;
  const approvers = await readApprovers(database, book);
  return { ...showSubject(found, { approvers, personId }), rowsLeft, amountLeft };
}
