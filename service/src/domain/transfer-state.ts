/**
 * The states of a transfer and the only transitions between them. docs/transfer-states.md is generated from these
 * tables.
 */
export const TRANSFER_STATES = [
  'scheduled',
  'awaiting_approval',
  'queued',
  'submitting',
  'submitted',
  'in_doubt',
  'succeeded',
  'failed',
  'cancelled',
  'reversed',
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

export const TRANSFER_STATUSES = [
  'pending',
  'successful',
  'failed',
  'cancelled',
  'reversed',
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

type StateRule = Readonly<{
  status: TransferStatus;
  /** What the wallet's hold is in this state. */
  hold: 'held' | 'settled' | 'released' | 'credited';
  next: readonly TransferState[];
  /** The event that reports the state to the merchant; null where only the history records it. */
  event: string | null;
  meaning: string;
}>;

export const STATE_RULES: Readonly<Record<TransferState, StateRule>> = {
  scheduled: {
    status: 'pending',
    hold: 'held',
    next: ['queued', 'awaiting_approval', 'cancelled'],
    event: null,
    meaning: 'Waits for its time. Can be cancelled.',
  },
  awaiting_approval: {
    status: 'pending',
    hold: 'held',
    next: ['queued', 'scheduled', 'cancelled'],
    event: 'transfer.awaiting_approval',
    meaning:
      'Waits for people to approve it or for a screener, or its time passed longer ago than the policy allows, its number was denied, or the operator may have paid what it pays again. Can be recalled.',
  },
  queued: {
    status: 'pending',
    hold: 'held',
    next: ['submitting', 'awaiting_approval', 'cancelled'],
    event: null,
    meaning: 'Waits for capacity or for a closed operator. Can be cancelled.',
  },
  submitting: {
    status: 'pending',
    hold: 'held',
    next: ['submitted', 'succeeded', 'failed', 'in_doubt', 'queued'],
    event: null,
    meaning: 'May be on the wire. Back to queued only when provably no byte left.',
  },
  submitted: {
    status: 'pending',
    hold: 'held',
    next: ['succeeded', 'failed', 'in_doubt'],
    event: 'transfer.submitted',
    meaning: 'The operator has it.',
  },
  in_doubt: {
    status: 'pending',
    hold: 'held',
    next: ['submitted', 'succeeded', 'failed'],
    event: 'transfer.in_doubt',
    meaning: 'It is not known yet whether money moved. The hold is never released by age.',
  },
  succeeded: {
    status: 'successful',
    hold: 'settled',
    next: ['reversed'],
    event: 'transfer.successful',
    meaning: 'Positive evidence that the recipient was paid.',
  },
  failed: {
    status: 'failed',
    hold: 'released',
    next: [],
    event: 'transfer.failed',
    meaning: 'Positive evidence that no money moved.',
  },
  cancelled: {
    status: 'cancelled',
    hold: 'released',
    next: [],
    event: 'transfer.cancelled',
    meaning: 'Never reached an operator.',
  },
  reversed: {
    status: 'reversed',
    hold: 'credited',
    next: [],
    event: 'transfer.reversed',
    meaning: 'The operator returned the money after success.',
  },
};

export function statusOf(state: TransferState): TransferStatus {
  return STATE_RULES[state].status;
}

export function isTransferState(text: string): text is TransferState {
  return (TRANSFER_STATES as readonly string[]).includes(text);
}

export function isTransferStatus(text: string): text is TransferStatus {
  return (TRANSFER_STATUSES as readonly string[]).includes(text);
}

export function statesWithStatus(status: TransferStatus): readonly TransferState[] {
  return TRANSFER_STATES.filter((state) => STATE_RULES[state].status === status);
}

export function mayMove(from: TransferState, to: TransferState): boolean {
  return STATE_RULES[from].next.includes(to);
}

/** A forbidden move is a bug in the caller, never a refusal to a merchant. */
export function assertMove(from: TransferState, to: TransferState): void {
  if (!mayMove(from, to)) throw new Error(`a transfer cannot go from ${from} to ${to}`);
}
