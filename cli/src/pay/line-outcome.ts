import type { PayoutFileState, Transfer } from '../../../sdk/src/index.ts';
import { fromJsonNumber } from '../payout-file/amount.ts';

/** The fields of a transfer that the result file shows. Others are dropped, because 100,000 lines stay in memory. */
export type SentTransfer = Readonly<{
  id: string;
  reference: string;
  feeMinor: bigint;
  status: Transfer['status'];
  state: Transfer['state'];
  failure: Readonly<{ code: string; message: string }> | null;
  createdAt: string;
}>;

export type LineOutcome =
  /** Stored by this run, or by an earlier one with the same content. */
  | Readonly<{ kind: 'accepted' | 'already_sent'; transfer: SentTransfer }>
  /** The reference belongs to a transfer with other content. */
  | Readonly<{ kind: 'conflict'; code: string; message: string }>
  | Readonly<{ kind: 'refused'; code: string; message: string }>
  /** In a submitted payout file, and not a transfer yet. */
  | Readonly<{ kind: 'waiting'; fileId: string; code: string; message: string }>
  /** Its file was submitted, but no answer came. The next run looks it up. */
  | Readonly<{ kind: 'unknown'; code: string; message: string }>
  | Readonly<{ kind: 'not_sent'; code: string; message: string }>;

export const NOT_SENT: LineOutcome = {
  kind: 'not_sent',
  code: '',
  message: 'Not sent yet. Run the same file again.',
};

export function toSentTransfer(transfer: Transfer): SentTransfer {
  const { id, reference, status, state, failure, createdAt } = transfer;
  return {
    id,
    reference,
    feeMinor: fromJsonNumber(transfer.fee),
    status,
    state,
    failure,
    createdAt,
  };
}

type WaitingFile = Readonly<{ id: string; state: PayoutFileState; payAt?: string | null }>;

/** The outcome of a line whose payout file has not reached it yet. */
export function waitingIn(file: WaitingFile): LineOutcome {
  const message = describeWait(file);
  return { kind: 'waiting', fileId: file.id, code: file.state.toUpperCase(), message };
}

function describeWait({ state, payAt = null }: WaitingFile): string {
  if (state === 'awaiting_approval') return 'It waits for approval.';
  if (state !== 'scheduled') return 'It is about to be paid. Run the same file again.';
  return payAt === null ? 'It waits for its time.' : `It waits for its time, ${payAt}.`;
}

/** The content of the line differs from the transfer that has its reference. */
export function conflictWith({ id, createdAt, status }: SentTransfer): LineOutcome {
  const message =
    `The reference belongs to another payout, ${id} of ${createdAt}, which is ${status}: the line, ` +
    'the wallet or the operator has changed since. Not paid by this line.';
  const advice = status === 'failed' ? ' To pay the line as it is now, give --retry-failed.' : '';
  return { kind: 'conflict', code: 'DUPLICATE_REFERENCE', message: message + advice };
}

/** Whether the outcome is final, except that the operator may still return the money. */
export function isFinal(transfer: SentTransfer): boolean {
  return transfer.status !== 'pending';
}

export type OutcomeCounts = Readonly<
  Record<LineOutcome['kind'], number> & {
    /** Counts lines that became transfers, by status. */
    statuses: Readonly<Record<Transfer['status'], number>>;
  }
>;

export function countOutcomes(outcomes: readonly LineOutcome[]): OutcomeCounts {
  const kinds = {
    accepted: 0,
    already_sent: 0,
    waiting: 0,
    conflict: 0,
    refused: 0,
    unknown: 0,
    not_sent: 0,
  };
  const statuses = { pending: 0, successful: 0, failed: 0, cancelled: 0, reversed: 0 };
  for (const outcome of outcomes) {
    kinds[outcome.kind] += 1;
    if ('transfer' in outcome) statuses[outcome.transfer.status] += 1;
  }
  return { ...kinds, statuses };
}
