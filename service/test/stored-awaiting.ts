import { randomUUID } from 'node:crypto';
import type { Book } from '../src/domain/book.ts';
import { causeOf } from '../src/domain/cause.ts';
import { hashContent } from '../src/domain/content-hash.ts';
import type { ApprovalRequirement } from '../src/domain/policy/assign-approvals.ts';
import type { Transfer } from '../src/domain/transfer.ts';
import type { Database } from '../src/postgres/database.ts';
import { moveTransfers } from '../src/transfers/move/move-transfers.ts';
import { findTransfer } from '../src/transfers/read/find-transfer.ts';
import { storeTestTransfer } from './stored-transfer.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
/** So that no running service sends it before it waits. */
const FAR_AHEAD = new Date(Date.now() + 80 * 24 * 60 * 60 * 1_000);

type AwaitingOptions = Readonly<{
  book: Book;
  walletId: string;
  /** Left out: as a late one, for which no rule asks. */
  needed?: readonly ApprovalRequirement[];
  /** The code of who ordered it. */
  creator?: string;
  sendAt?: Date;
  expiresInMs?: number;
}>;

/** Stores a transfer that waits for approval: because rules ask for it, or as one that is late. */
export async function storeAwaiting(
  database: Database,
  options: AwaitingOptions,
): Promise<Readonly<{ transfer: Transfer; contentHash: string }>> {
  const { book, walletId, needed, creator, sendAt = new Date(), expiresInMs = WEEK_MS } = options;
  const leaseOwner = randomUUID();
  const order = {
    book,
    walletId,
    leaseOwner,
    reserved: false,
    sendAt: FAR_AHEAD,
    amountMinor: 700n,
  };
  const scheduled = await storeTestTransfer(database, order);
  const run = (text: string, values: readonly unknown[]) =>
    database.query({ name: '', text }, [book.id, scheduled.id, ...values]);
  if (needed !== undefined) {
    const text = 'update transfers set approvals_needed = $3 where book_id = $1 and id = $2';
    await run(text, [JSON.stringify(needed)]);
  }
  if (creator !== undefined) {
    await database.transaction(async (tx) => {
      // Written by hand, because who orders is not what is tested here.
      await tx.query({ name: '', text: 'alter table events disable trigger user' });
      const text =
        'update events set actor = $3 where book_id = $1 and subject_id = $2 and seq = 1';
      await tx.query({ name: '', text }, [book.id, scheduled.id, creator]);
      await tx.query({ name: '', text: 'alter table events enable trigger user' });
    });
  }
  const step = {
    to: 'awaiting_approval',
    cause: causeOf(needed === undefined ? 'SEND_TIME_MISSED' : 'APPROVAL_REQUIRED'),
    failure: null,
    operatorTransactionId: null,
    nextActionInMs: expiresInMs,
    checks: 0,
    notFoundAnswers: 0,
    needsPerson: true,
  } as const;
  const moves = [
    { transfer: scheduled, step, actor: 'system:test', needsLease: false, leaseFor: null },
  ];
  await moveTransfers(database, { moves, mover: leaseOwner, at: new Date() });
  await run('update transfers set send_at = $3 where book_id = $1 and id = $2', [sendAt]);
  const transfer = await findTransfer(database, scheduled);
  if (transfer?.state !== 'awaiting_approval') throw new Error('the transfer does not wait');
  return { transfer, contentHash: hashContent(transfer) };
}
