import { requestApprovalCheck } from '../approvals/transfers/flag-impossible.ts';
import type { Actor } from '../domain/actor.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import { type CancelDeps, cancelTransfer } from '../transfers/move/cancel-transfer.ts';
import { type ClaimedFile, releaseFile } from './claim-files.ts';
import { endTakenRows } from './end-taken-rows.ts';
import { endWaitingRows } from './end-waiting-rows.ts';
import { listQueuedTransfers } from './list-queued-transfers.ts';
import { AT_ONCE, moveFile } from './move-file.ts';
import { type Batch, type PayRowsDeps, payRows } from './pay-rows.ts';
import { settleRows, type Unfinished } from './settle-rows.ts';
import type { SubmittedFile } from './submitted-file.ts';

/**
 * Transfers of a file that wait for a slot. With this many waiting, no more are made for a while: other payouts of the
 * book wait behind them.
 */
const UNSENT_MAX = 500;
/** Past that, a batch this often all the same: the operator that does not take them need not be that of the others. */
const SLOW_BATCH_INTERVAL_MS = 5_000;
/** How often a file whose transfers are under way is looked at: more of them take longer to read. */
const SETTLE_INTERVAL_MS = 300;
const SETTLE_MS_PER_TRANSFER = 0.2;
/** After its end, transfers in doubt are still followed: soon at first, since most doubts are short. */
const DOUBT_INTERVAL_MIN_MS = 1_000;
const DOUBT_INTERVAL_MAX_MS = 60_000;
/** The queue of commits was full, or the database gave no answer. */
const RETRY_INTERVAL_MS = 1_000;

export type AdvanceDeps = PayRowsDeps & Readonly<{ cancel: CancelDeps }>;

const SYSTEM: Actor = { kind: 'system', part: 'payout-file' };

/** Does what is due for a file whose lease this process holds. */
export async function advanceFile(deps: AdvanceDeps, claimed: ClaimedFile): Promise<void> {
  const { file, isLate } = claimed;
  failpoint('file-claimed');
  switch (file.state) {
    case 'awaiting_approval':
      return expireApproval(deps, file);
    case 'scheduled':
      return isLate ? waitForPerson(deps, claimed) : beginPaying(deps, file);
    case 'paying':
      return pay(deps, claimed);
    case 'cancelled':
      return finishCancelled(deps, claimed);
    case 'done':
      return followDoubts(deps, claimed);
    default: {
      const unhandled: never = file.state;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}

async function expireApproval(deps: AdvanceDeps, file: SubmittedFile): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const moved = await moveFile(tx, {
      ...keyOf(file),
      from: ['awaiting_approval'],
      to: 'cancelled',
      actor: SYSTEM,
      cause: 'APPROVAL_EXPIRED',
      at: deps.now(),
      // Transfers of rows that were paid before it came to wait may still be queued.
      due: AT_ONCE,
      endedAs: 'APPROVAL_EXPIRED',
    });
    if (moved) await endWaitingRows(tx, { ...keyOf(file), code: 'APPROVAL_EXPIRED' });
  });
}

async function waitForPerson(
  deps: AdvanceDeps,
  { file, expiresAfterMs }: ClaimedFile,
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const moved = await moveFile(tx, {
      ...keyOf(file),
      from: [file.state],
      to: 'awaiting_approval',
      actor: SYSTEM,
      cause: 'SEND_TIME_MISSED',
      at: deps.now(),
      due: { inMs: expiresAfterMs },
    });
    // It came to wait without a look at whether the people of the book can approve it.
    if (moved) await requestApprovalCheck(tx, file.book.id);
  });
}

async function beginPaying(deps: AdvanceDeps, file: SubmittedFile): Promise<void> {
  await moveFile(deps.database, {
    ...keyOf(file),
    from: ['scheduled'],
    to: 'paying',
    actor: SYSTEM,
    cause: 'SEND_TIME_CAME',
    at: deps.now(),
    due: AT_ONCE,
  });
}

/** Rows that are still to be paid after a long interruption wait for a person: they may have been paid in another way. */
async function pay(deps: AdvanceDeps, claimed: ClaimedFile): Promise<void> {
  const { file, isLate, sinceBatchMs } = claimed;
  const left = await settleRows(deps.database, { file, at: deps.now() });
  if (left.waiting === 0 && left.transfers === left.inDoubt) return end(deps, file, left);
  if (isLate && left.waiting > 0) return waitForPerson(deps, claimed);
  const mayPay = left.unsent < UNSENT_MAX || sinceBatchMs >= SLOW_BATCH_INTERVAL_MS;
  if (left.waiting === 0 || !mayPay) return release(deps, file, lookAgainInMs(left));
  return release(deps, file, dueAfterBatch(await payRows(deps, file)));
}

async function end(deps: AdvanceDeps, file: SubmittedFile, left: Unfinished): Promise<void> {
  failpoint('file-ending');
  await moveFile(deps.database, {
    ...keyOf(file),
    from: ['paying'],
    to: 'done',
    actor: SYSTEM,
    cause: 'FILE_PAID',
    at: deps.now(),
    due: left.transfers > 0 ? { inMs: DOUBT_INTERVAL_MIN_MS } : null,
  });
}

/**
 * Transfers that have not left are cancelled first, so that a row that cannot be paid now does not delay that. Rows that
 * were taken before the cancellation are paid; those of a suspended merchant wait. What is late by then, or was not
 * approved, is not paid any more.
 */
async function finishCancelled(deps: AdvanceDeps, claimed: ClaimedFile): Promise<void> {
  const { file } = claimed;
  await cancelQueued(deps, file);
  const batch = await finishTaken(deps, claimed);
  if (batch.taken > 0) {
    await cancelQueued(deps, file);
    return release(deps, file, dueAfterBatch(batch));
  }
  const left = await settleRows(deps.database, { file, at: deps.now() });
  if (left.transfers === 0 && left.waiting === 0) return release(deps, file, null);
  const onlyDoubts = left.transfers === left.inDoubt;
  return release(deps, file, onlyDoubts ? followInMs(claimed) : lookAgainInMs(left));
}

async function finishTaken(deps: AdvanceDeps, { file, isLate }: ClaimedFile): Promise<Batch> {
  const { database, leaseOwner } = deps;
  if (isLate || file.endedAs !== 'CANCELLED') {
    return endTakenRows(database, { file, leaseOwner, at: deps.now() });
  }
  return file.book.isSuspended ? NOTHING_TAKEN : payRows(deps, file);
}

const NOTHING_TAKEN: Batch = { taken: 0, decided: 0 };

async function cancelQueued(deps: AdvanceDeps, file: SubmittedFile): Promise<void> {
  const actor = file.endedBy ?? 'system:payout-file';
  const queued = await listQueuedTransfers(deps.database, file);
  // One that leaves at this moment is sent, and refuses.
  await Promise.allSettled(
    queued.map((id) => cancelTransfer(deps.cancel, { book: file.book, id, actor })),
  );
}

async function followDoubts(deps: AdvanceDeps, claimed: ClaimedFile): Promise<void> {
  const { file } = claimed;
  const left = await settleRows(deps.database, { file, at: deps.now() });
  return release(deps, file, left.transfers > 0 ? followInMs(claimed) : null);
}

/** A doubt that has lasted long is not likely to end soon. */
function followInMs({ sinceEndMs }: ClaimedFile): number {
  return Math.ceil(Math.min(Math.max(sinceEndMs, DOUBT_INTERVAL_MIN_MS), DOUBT_INTERVAL_MAX_MS));
}

function dueAfterBatch({ taken, decided }: Batch): number {
  return decided === taken ? 0 : RETRY_INTERVAL_MS;
}

function lookAgainInMs({ transfers }: Unfinished): number {
  return Math.ceil(SETTLE_INTERVAL_MS + transfers * SETTLE_MS_PER_TRANSFER);
}

function release(deps: AdvanceDeps, file: SubmittedFile, dueInMs: number | null): Promise<void> {
  return releaseFile(deps.database, { file, leaseOwner: deps.leaseOwner, dueInMs });
}

function keyOf({ book, id }: SubmittedFile) {
  return { bookId: book.id, id };
}
