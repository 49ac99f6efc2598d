import type { TransferState } from '../../api/types.ts';

/** The words for the states of a transfer. "Sent" is not used: people read it as paid. */
export const states = {
  scheduled: { word: 'Scheduled', meaning: 'Waits for its time' },
  awaiting_approval: { word: 'Awaiting approval', meaning: 'Waits for a second person' },
  queued: { word: 'Queued', meaning: 'Waits for capacity or a closed operator' },
  submitting: { word: 'Sending', meaning: 'May be on its way to the operator' },
  submitted: { word: 'With operator', meaning: 'The operator has it' },
  in_doubt: { word: 'In doubt', meaning: 'It is not known yet whether money moved' },
  succeeded: { word: 'Paid', meaning: 'Proof that it was paid' },
  failed: { word: 'Failed', meaning: 'Proof that no money moved' },
  cancelled: { word: 'Cancelled', meaning: 'Never reached an operator' },
  reversed: { word: 'Reversed', meaning: 'Returned by the operator after it was paid' },
} as const satisfies Readonly<Record<TransferState, Readonly<{ word: string; meaning: string }>>>;
