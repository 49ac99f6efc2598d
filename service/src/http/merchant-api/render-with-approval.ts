import { showApproval } from '../../approvals/transfers/show-approval.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Book } from '../../domain/book.ts';
import { refuse } from '../../domain/refusal.ts';
import type { Transfer } from '../../domain/transfer.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findTransfer } from '../../transfers/read/find-transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';

type Reader = Readonly<{ book: Book; actor: Actor }>;

/** A transfer with who must approve it and who did. */
export async function renderWithApproval(
  database: Queryable,
  transfer: Transfer,
  { book, actor }: Reader,
): Promise<object> {
  const personId = actor.kind === 'person' ? actor.id : null;
  const approval = await showApproval(database, { book, transfer, personId });
  return { ...renderTransfer(transfer), approval };
}

/** The same, as it is after a decision about it. */
export async function renderDecided(
  database: Queryable,
  id: string,
  { book, actor }: Reader,
): Promise<object> {
  const transfer = await findTransfer(database, { bookId: book.id, mode: book.mode, id });
  if (transfer === undefined) throw refuse('TRANSFER_NOT_FOUND');
  return renderWithApproval(database, transfer, { book, actor });
}
